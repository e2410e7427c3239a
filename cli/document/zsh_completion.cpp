// SPDX-License-Identifier: MIT
//
// Completion for zsh, by its _arguments. Read document.h first.
#include "document/document.h"

#include <CLI/CLI.hpp>
#include <string>

namespace nd {
namespace {

// Text within '...' of the shell, in which _arguments takes these for its own.
std::string escape_zsh(const std::string& text) {
    std::string escaped;
    for (char c : text) {
        if (c == '\'') {
            escaped += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string action_of(const CLI::Option& option) {
    const std::string words = CLI::detail::join(choices_of(option), " ");
    switch (kind_of(option)) {
        case ValueKind::choices: return "(" + words + ")";
        case ValueKind::list: return "_values -s , transport " + words;
        case ValueKind::file: return "_files";
        case ValueKind::folder: return "_files -/";
        case ValueKind::process: return "_nd_processes";
        case ValueKind::host: return "_hosts";
        case ValueKind::none: break;
    }
    return " ";
}

void write_argument(std::ostream& out, const CLI::Option& option, int& place) {
    const std::string text = "[" + escape_zsh(option.get_description()) + "]";
    const std::string value =
        takes_value(option) ? ":" + escape_zsh(value_name(option)) + ":" + action_of(option) : std::string();
    if (option.get_positional()) {
        const std::string where = option.get_items_expected_max() > 1 ? "*" : std::to_string(place++);
        out << " \\\n                '" << where << ":" << escape_zsh(option.get_name(true)) << ":" << action_of(option)
            << "'";
        return;
    }
    for (const std::string& name : option.get_snames())
        out << " \\\n                '-" << name << text << value << "'";
    for (const std::string& name : option.get_lnames())
        out << " \\\n                '--" << name << text << value << "'";
}

void write_arguments(std::ostream& out, const CLI::App& command) {
    out << "            _arguments -s";
    int place = 1;
    for (const CLI::Option* option : visible_options(command)) write_argument(out, *option, place);
    out << "\n";
}

}  // namespace

void write_zsh_completion(std::ostream& out, const CLI::App& app) {
    out << "#compdef nd\n"
           "# Completion of nd for zsh, written by `nd generate zsh-completion`.\n"
           "_nd_processes() {\n"
           "    local -a processes\n"
           "    processes=(${(f)\"$(nd ps 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }')\"})\n"
           "    compadd -a processes\n"
           "}\n"
           "_nd() {\n"
           "    if (( CURRENT == 2 )); then\n"
           "        local -a commands\n"
           "        commands=(\n";
    for (const CLI::App* command : visible_commands(app))
        out << "            '" << command->get_name() << ":" << escape_zsh(summary_of(*command)) << "'\n";
    out << "        )\n"
           "        _describe -t commands command commands\n"
           "        return\n"
           "    fi\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $words[1] in\n";
    for (const CLI::App* command : visible_commands(app)) {
        out << "        " << command->get_name() << ")\n";
        write_arguments(out, *command);
        out << "            ;;\n";
    }
    out << "    esac\n"
           "}\n"
           "_nd \"$@\"\n";
}

}  // namespace nd
