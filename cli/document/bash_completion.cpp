// SPDX-License-Identifier: MIT
//
// Completion for bash: commands, options, and values that can be listed. Read document.h first.
#include "document/document.h"

#include <CLI/CLI.hpp>
#include <string>

namespace nd {
namespace {

std::string option_words(const CLI::App& command) {
    std::string words;
    for (const CLI::Option* option : visible_options(command)) {
        for (const std::string& name : option->get_snames()) words += "-" + name + " ";
        for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
    }
    return words;
}

// The command of bash that offers the values of an option for $word.
std::string offer(const CLI::Option& option) {
    const std::string words = CLI::detail::join(choices_of(option), " ");
    switch (kind_of(option)) {
        case ValueKind::choices: return "_nd_words '" + words + "'";
        case ValueKind::list: return "_nd_list '" + words + "'";
        case ValueKind::file: return "_nd_files -f";
        case ValueKind::folder: return "_nd_files -d";
        case ValueKind::process: return "_nd_words \"$(_nd_processes)\"";
        case ValueKind::host: return "COMPREPLY=($(compgen -A hostname -- \"$word\"))";
        case ValueKind::none: break;
    }
    return "COMPREPLY=()";
}

// Patterns of `case`: the word before tells the option of the value.
void write_value_cases(std::ostream& out, const CLI::App& command) {
    for (const CLI::Option* option : visible_options(command)) {
        if (option->get_positional() || !takes_value(*option)) continue;
        std::string names;
        const std::string prefix = command.get_name() + ":";
        for (const std::string& name : option->get_snames()) names += (names.empty() ? "" : "|") + prefix + "-" + name;
        for (const std::string& name : option->get_lnames()) names += (names.empty() ? "" : "|") + prefix + "--" + name;
        out << "        " << names << ")\n            " << offer(*option) << "\n            return ;;\n";
    }
}

void write_positionals(std::ostream& out, const CLI::App& command) {
    out << "        " << command.get_name() << ")\n";
    for (const CLI::Option* option : visible_options(command))
        if (option->get_positional() && kind_of(*option) != ValueKind::none)
            out << "            " << offer(*option) << "; all+=(\"${COMPREPLY[@]}\")\n";
    out << "            ;;\n";
}

constexpr const char* kFunctions = R"(_nd_words() {
    COMPREPLY=($(compgen -W "$1" -- "$word"))
}
_nd_files() {
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY=($(compgen "$1" -- "$word"))
}
_nd_processes() {
    nd ps 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }'
}
# Behind the last comma, and a '^'.
_nd_list() {
    local before=${word%"${word##*,}"} each=${word##*,}
    case $each in
        ^*) before+=^ each=${each#^} ;;
    esac
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "$each"))
}
)";

}  // namespace

void write_bash_completion(std::ostream& out, const CLI::App& app) {
    std::string commands;
    for (const CLI::App* command : visible_commands(app)) commands += command->get_name() + " ";
    out << "# Completion of nd for bash, written by `nd generate bash-completion`.\n"
        << kFunctions
        << "_nd() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "    local all=()\n"
           "    # --option=value is three words\n"
           "    if [ \"$word\" = = ]; then\n"
           "        word=\n"
           "    elif [ \"$previous\" = = ]; then\n"
           "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    fi\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        _nd_words '"
        << commands << option_words(app)
        << "'\n"
           "        return\n"
           "    fi\n"
           "    case $command:$previous in\n";
    for (const CLI::App* command : visible_commands(app)) write_value_cases(out, *command);
    out << "    esac\n"
           "    case $command in\n";
    for (const CLI::App* command : visible_commands(app)) write_positionals(out, *command);
    out << "    esac\n"
           "    case $command in\n";
    for (const CLI::App* command : visible_commands(app))
        out << "        " << command->get_name() << ") _nd_words '" << option_words(*command) << "' ;;\n";
    out << "    esac\n"
           "    COMPREPLY+=(\"${all[@]}\")\n"
           "}\n"
           "complete -F _nd nd\n";
}

}  // namespace nd
