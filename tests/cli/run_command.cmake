# SPDX-License-Identifier: MIT
# Runs a command and judges exit code and output, which PASS_REGULAR_EXPRESSION alone cannot: it ignores the exit code.
#
#   cmake -DCOMMAND=a;b;c [-DEXIT=n] [-DOUTPUT=regex] [-DERRORS=regex] [-DJSON=document|lines] [-DJSON_HAS=a.b.0]
#         [-DTHEN=command;...] -P run_command.cmake
#
# EXIT is 0 unless given. OUTPUT and ERRORS are searched in standard output and standard error. JSON says that standard
# output is one JSON document, or one object on each line; JSON_HAS names a member that must exist. THEN is a command that
# gets standard output as a file, appended as last argument, and must succeed.
cmake_minimum_required(VERSION 3.25)

if(NOT DEFINED EXIT)
    set(EXIT 0)
endif()
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)

function(reject why)
    message(FATAL_ERROR "${why}\nexit code: ${result}\nstandard output:\n${output}\nstandard error:\n${errors}")
endfunction()

function(check_json text)
    string(JSON type ERROR_VARIABLE problem TYPE "${text}" ${ARGN})
    if(problem)
        reject("not the JSON that was expected: ${problem}")
    endif()
endfunction()

if(NOT result STREQUAL EXIT)
    reject("the exit code is not ${EXIT}")
endif()
if(DEFINED OUTPUT AND NOT output MATCHES "${OUTPUT}")
    reject("standard output does not match '${OUTPUT}'")
endif()
if(DEFINED ERRORS AND NOT errors MATCHES "${ERRORS}")
    reject("standard error does not match '${ERRORS}'")
endif()
string(REPLACE "." ";" member "${JSON_HAS}")
if(JSON STREQUAL "document")
    check_json("${output}" ${member})
elseif(JSON STREQUAL "lines")
    string(STRIP "${output}" output_lines)
    string(REPLACE "\n" ";" output_lines "${output_lines}")
    if(NOT output_lines)
        reject("no line of JSON")
    endif()
    foreach(line IN LISTS output_lines)
        check_json("${line}" ${member})
    endforeach()
endif()
if(DEFINED THEN)
    string(SHA1 name "${COMMAND}")
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.out" "${output}")
    execute_process(COMMAND ${THEN} "${CMAKE_CURRENT_BINARY_DIR}/${name}.out" RESULT_VARIABLE then_result
        ERROR_VARIABLE then_errors)
    file(REMOVE "${CMAKE_CURRENT_BINARY_DIR}/${name}.out")
    if(NOT then_result EQUAL 0)
        reject("'${THEN}' does not accept the output: ${then_errors}")
    endif()
endif()
