// SPDX-License-Identifier: MIT
//
// nd(1), in man(7) macros. Read document.h first.
#include "document/document.h"

#include <opennd.h>
#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace nd {
namespace {

// Text that roff would take for its own: backslashes, hyphens that must stay hyphens, a dot or quote at the start.
std::string escape(std::string_view text) {
    std::string escaped;
    if (!text.empty() && (text.front() == '.' || text.front() == '\'')) escaped = "\\&";
    for (char c : text) {
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else
            escaped += c;
    }
    return escaped;
}

// "-s, --size BYTES", names in bold.
std::string heading(const CLI::Option& option) {
    std::string text;
    auto add = [&text](const std::string& name) {
        text += (text.empty() ? "" : ", ") + ("\\fB" + escape(name) + "\\fR");
    };
    for (const std::string& name : option.get_snames()) add("-" + name);
    for (const std::string& name : option.get_lnames()) add("--" + name);
    if (text.empty()) return "\\fI" + escape(option.get_name(true)) + "\\fR";
    const std::string type = option.get_type_name();  // "NAME:text of the validators"
    if (option.get_items_expected_max() > 0) text += " \\fI" + escape(type.substr(0, type.find(':'))) + "\\fR";
    return text;
}

void write_options(std::ostream& out, const CLI::App& command) {
    for (const CLI::Option* option : visible_options(command)) {
        out << ".TP\n" << heading(*option) << "\n" << escape(option->get_description());
        const std::vector<std::string> choices = choices_of(*option);
        for (std::size_t i = 0; i < choices.size(); i++) out << (i == 0 ? " (one of " : ", ") << escape(choices[i]);
        if (!choices.empty()) out << ")";
        if (!option->get_default_str().empty()) out << " (default " << escape(option->get_default_str()) << ")";
        if (!option->get_envname().empty()) out << ". Environment: " << escape(option->get_envname());
        out << ".\n";
    }
}

void write_settings(std::ostream& out) {
    ULONG count = 0;
    const opennd_setting* const settings = opennd_settings(&count);
    for (ULONG i = 0; i < count; ++i) {
        out << ".TP\n\\fB" << escape(settings[i].variable) << "\\fR\n"
            << escape(settings[i].meaning) << " (" << escape(settings[i].values);
        if (*settings[i].default_value != '\0') out << "; default " << escape(settings[i].default_value);
        out << ").\n";
    }
}

std::string synopsis(const CLI::App& command) {
    std::string text = "[\\fIOPTION\\fR]...";
    for (const CLI::Option* option : visible_options(command))
        if (option->get_positional()) text += " [\\fI" + escape(option->get_name(true)) + "\\fR]";
    return text;
}

}  // namespace

void write_man_page(std::ostream& out, const CLI::App& app) {
    out << ".TH ND 1 \"\" \"OpenND " << opennd_version() << "\" \"User Commands\"\n";
    out << ".SH NAME\nnd \\- " << escape(app.get_description()) << "\n.SH SYNOPSIS\n";
    for (const CLI::App* command : visible_commands(app))
        out << "\\fBnd " << escape(command->get_name()) << "\\fR " << synopsis(*command) << "\n.br\n";
    out << ".SH OPTIONS\n";
    write_options(out, app);
    for (const CLI::App* command : visible_commands(app)) {
        out << ".SH \"ND " << command->get_name() << "\"\n" << escape(command->get_description()) << "\n";
        write_options(out, *command);
    }
    out << ".SH ENVIRONMENT\n";
    write_settings(out);
    out << ".SH \"EXIT CODE\"\n" << escape(kExitCodes) << "\n";
}

}  // namespace nd
