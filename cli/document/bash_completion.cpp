// SPDX-License-Identifier: MIT
//
// Completion for bash: commands, options, and the values of options that have a fixed set. Read document.h first.
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

std::string value_words(const CLI::Option& option) {
    std::string words;
    for (const std::string& choice : choices_of(option)) words += choice + " ";
    return words;
}

// Patterns of `case`: the words before tell the option of the value.
void write_value_cases(std::ostream& out, const CLI::App& command) {
    for (const CLI::Option* option : visible_options(command)) {
        if (option->get_positional() || option->get_items_expected_max() == 0) continue;
        std::string names;
        const std::string prefix = command.get_name() + ":";
        for (const std::string& name : option->get_snames()) names += (names.empty() ? "" : "|") + prefix + "-" + name;
        for (const std::string& name : option->get_lnames()) names += (names.empty() ? "" : "|") + prefix + "--" + name;
        const bool file = option->get_type_name() == "FILE";
        out << "        " << names << ")\n            COMPREPLY=("
            << (file ? "$(compgen -f -- \"$word\")" : "$(compgen -W \"" + value_words(*option) + "\" -- \"$word\")")
            << ")\n            return ;;\n";
    }
}

std::string positional_words(const CLI::App& command) {
    std::string words;
    for (const CLI::Option* option : visible_options(command))
        if (option->get_positional()) words += value_words(*option);
    return words;
}

}  // namespace

void write_bash_completion(std::ostream& out, const CLI::App& app) {
    std::string commands;
    for (const CLI::App* command : visible_commands(app)) commands += command->get_name() + " ";
    out << "# Completion of nd for bash, written by `nd generate bash-completion`.\n"
           "_nd() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \""
        << commands << option_words(app)
        << "\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case $command:$previous in\n";
    for (const CLI::App* command : visible_commands(app)) write_value_cases(out, *command);
    out << "    esac\n"
           "    case $command in\n";
    for (const CLI::App* command : visible_commands(app))
        out << "        " << command->get_name() << ") COMPREPLY=($(compgen -W \"" << option_words(*command)
            << positional_words(*command) << "\" -- \"$word\")) ;;\n";
    out << "    esac\n"
           "}\n"
           "complete -F _nd nd\n";
}

}  // namespace nd
