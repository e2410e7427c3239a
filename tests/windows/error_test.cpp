// SPDX-License-Identifier: MIT
// Codes of errors: of Win32 for a status, as exceptions, in words.
#include <comdef.h>
#include <gtest/gtest.h>
#include <ntstatus.h>
#include <winternl.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace opennd {
namespace {

std::string message(DWORD code) {
    char text[200];
    const DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM, nullptr, code, 0, text, 200, nullptr);
    return std::string(text, length);
}

TEST(Messages, OfComAreThere) {
    EXPECT_NE(message(0x80004002u).find("no such interface"), std::string::npos) << "E_NOINTERFACE";
    EXPECT_NE(message(0x80004005u).find("Failed"), std::string::npos) << "E_FAIL";
    EXPECT_NE(message(0x80070057u).find("argument"), std::string::npos) << "E_INVALIDARG";
    EXPECT_NE(message(0x8007000Eu).find("memory"), std::string::npos) << "E_OUTOFMEMORY";
    for (const HRESULT result :
         {E_NOTIMPL, E_NOINTERFACE, E_POINTER, E_FAIL, E_UNEXPECTED, E_OUTOFMEMORY, E_INVALIDARG, CLASS_E_NOAGGREGATION,
          CLASS_E_CLASSNOTAVAILABLE, E_ABORT, E_HANDLE, E_ACCESSDENIED, E_PENDING, E_NOT_SUFFICIENT_BUFFER,
          E_NOT_VALID_STATE, E_BOUNDS, CO_E_NOTINITIALIZED, REGDB_E_CLASSNOTREG})
        EXPECT_EQ(message(static_cast<DWORD>(result)).find("Unknown"), std::string::npos) << std::hex << result;
}

bool is_name_of_code(std::string_view name) {
    return name.starts_with("ERROR") || name.starts_with("WSA") || name.starts_with("WAIT");
}

TEST(Messages, OfEveryCodeThatIsDefinedAreThere) {
    std::ifstream header(OPENND_WINERROR_H);
    int codes = 0;
    for (std::string line; std::getline(header, line);) {
        std::istringstream words(line);
        std::string directive, name;
        DWORD code = 0;
        if (!(words >> directive >> name >> code) || directive != "#define" || !is_name_of_code(name)) continue;
        ++codes;
        const std::string text = message(code);
        EXPECT_EQ(text.find("Unknown"), std::string::npos) << name << ": " << text;
    }
    EXPECT_GT(codes, 90);
}

TEST(Statuses, HaveACodeOfWin32) {
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_SUCCESS), 0u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_INVALID_PARAMETER), 87u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_PENDING), 997u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_TIMEOUT), 1460u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_ACCESS_DENIED), 5u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_CONNECTION_REFUSED), 1225u);
    EXPECT_EQ(RtlNtStatusToDosError(STATUS_UNSUCCESSFUL), 31u);
    EXPECT_EQ(RtlNtStatusToDosError(static_cast<NTSTATUS>(0xC0FFEE00u)), 317u) << "ERROR_MR_MID_NOT_FOUND";
}

TEST(ComError, SaysWhatAnHresultMeans) {
    const _com_error error(E_NOINTERFACE);
    EXPECT_EQ(error.Error(), E_NOINTERFACE);
    EXPECT_EQ(error.WCode(), 0);
    EXPECT_EQ(error.ErrorInfo(), nullptr);
    const std::string text = error.ErrorMessage();
    EXPECT_NE(text.find("no such interface"), std::string::npos) << text;
    EXPECT_EQ(text.find_first_of("\r\n"), std::string::npos) << "without a line end";
    const _com_error copy = error;
    EXPECT_STREQ(copy.ErrorMessage(), text.c_str());
    EXPECT_EQ(_com_error(static_cast<HRESULT>(0x80040205u)).WCode(), 5);
    EXPECT_EQ(_com_error::WCodeToHRESULT(5), static_cast<HRESULT>(0x80040205u));
    EXPECT_THROW(_com_issue_error(E_FAIL), _com_error);
    EXPECT_NO_THROW(_com_util::CheckError(S_FALSE));
    EXPECT_THROW(_com_util::CheckError(E_FAIL), _com_error);
}

}  // namespace
}  // namespace opennd
