// SPDX-License-Identifier: MIT
//
// Completion for fish. Read document.h first.
#include "document/document.h"

#include <CLI/CLI.hpp>
#include <string>

namespace nd {
namespace {

// Within '...' of fish.
std::string escape_fish(const std::string& text) {
    std::string escaped;
    for (char c : text) {
        if (c == '\'' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

// The words of `complete` that offer the values.
std::string values_of(const CLI::Option& option) {
    const std::string words = CLI::detail::join(choices_of(option), " ");
    switch (kind_of(option)) {
        case ValueKind::choices: return " -a '" + words + "'";
        case ValueKind::list: return " -a '(__fish_append , " + words + ")'";
        case ValueKind::file: return " -F";
        case ValueKind::folder: return " -a '(__fish_complete_directories)'";
        case ValueKind::process: return " -a '(__fish_nd_processes)'";
        case ValueKind::host: return " -a '(__fish_print_hostnames)'";
        case ValueKind::none: break;
    }
    return {};
}

void write_option(std::ostream& out, const std::string& condition, const CLI::Option& option) {
    const std::string values = values_of(option);
    if (option.get_positional()) {
        if (!values.empty()) out << "complete -c nd -n '" << condition << "'" << values << "\n";
        return;
    }
    out << "complete -c nd -n '" << condition << "'";
    for (const std::string& name : option.get_snames()) out << " -s " << name;
    for (const std::string& name : option.get_lnames()) out << " -l " << name;
    const bool in_files = kind_of(option) == ValueKind::file || kind_of(option) == ValueKind::folder;
    if (takes_value(option)) out << (in_files ? " -r" : " -x") << values;  // -x: and no files
    out << " -d '" << escape_fish(option.get_description()) << "'\n";
}

}  // namespace

void write_fish_completion(std::ostream& out, const CLI::App& app) {
    out << "# Completion of nd for fish, written by `nd generate fish-completion`.\n"
           "function __fish_nd_processes\n"
           "    nd ps 2>/dev/null | string match -r '^ *[0-9]+' | string trim\n"
           "end\n"
           "complete -c nd -f\n";
    for (const CLI::Option* option : visible_options(app)) write_option(out, "__fish_use_subcommand", *option);
    for (const CLI::App* command : visible_commands(app)) {
        out << "complete -c nd -n __fish_use_subcommand -a " << command->get_name() << " -d '"
            << escape_fish(summary_of(*command)) << "'\n";
        for (const CLI::Option* option : visible_options(*command))
            write_option(out, "__fish_seen_subcommand_from " + command->get_name(), *option);
    }
}

}  // namespace nd
