// SPDX-License-Identifier: MIT
//
// nd(1) and nd-COMMAND(1), in man(7) macros. Read document.h first.
#include "document/document.h"

#include <opennd.h>
#include <CLI/CLI.hpp>

#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace nd {
namespace {

// Text that roff would take for its own: backslashes, hyphens that must stay hyphens, a dot or quote at the start of a line.
std::string escape(std::string_view text) {
    std::string escaped;
    bool at_start = true;
    for (char c : text) {
        if (at_start && (c == '.' || c == '\'')) escaped += "\\&";
        at_start = c == '\n';
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else
            escaped += c;
    }
    return escaped;
}

std::string page_name(const CLI::App& command) { return "nd-" + command.get_name(); }

void write_title(std::ostream& out, const std::string& name, const std::string& summary) {
    std::string title = name;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    out << ".TH " << escape(title) << " 1 \"\" \"OpenND " << opennd_version() << "\" \"User Commands\"\n"
        << ".SH NAME\n"
        << escape(name) << " \\- " << escape(summary) << "\n";
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
    const std::string value = value_name(option);
    return value.empty() ? text : text + " \\fI" + escape(value) + "\\fR";
}

void write_options(std::ostream& out, const CLI::App& command) {
    for (const CLI::Option* option : visible_options(command))
        out << ".TP\n" << heading(*option) << "\n" << escape(explanation_of(*option)) << ".\n";
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

struct Term {
    const char *term, *meaning;
};

void write_terms(std::ostream& out, std::initializer_list<Term> terms) {
    for (const Term& each : terms) out << ".TP\n\\fB" << escape(each.term) << "\\fR\n" << escape(each.meaning) << ".\n";
}

void write_exit_status(std::ostream& out) {
    out << ".SH \"EXIT STATUS\"\n";
    write_terms(out, {{"0", "success"},
                      {"1", "failure: standard error names the call, the object, the status and a remedy"},
                      {"2", "wrong usage"},
                      {"130", "interrupted by SIGINT (Ctrl-C)"},
                      {"143", "ended by SIGTERM"}});
}

void write_files(std::ostream& out) {
    out << ".SH FILES\n";
    write_terms(out, {{"/etc/opennd/providers.d", "providers of other vendors (OPENND_PROVIDERS)"},
                      {"PREFIX/share/opennd/profiles", "profiles of NICs, as examples of files for OPENND_PROFILE"},
                      {"PREFIX/share/wireshark/profiles/OpenND",
                       "a profile for Wireshark and tshark, for files of nd capture"}});
}

void write_example(std::ostream& out, const Example& example) {
    out << ".TP\n\\fBnd " << escape(example.words) << "\\fR\n" << escape(example.meaning) << ".\n";
}

std::string synopsis(const CLI::App& command) {
    std::string text = "\\fBnd " + escape(command.get_name()) + "\\fR [\\fIOPTION\\fR]...";
    for (const CLI::Option* option : visible_options(command)) {
        if (!option->get_positional()) continue;
        const std::string name = "\\fI" + escape(option->get_name(true)) + "\\fR";
        text += option->get_required() ? " " + name : " [" + name + "]";
        if (option->get_items_expected_max() > 1) text += "...";
    }
    return text;
}

// The pages of the other commands, and of the tools that people know it by.
void write_see_also(std::ostream& out, const CLI::App& app, const CLI::App* self) {
    out << ".SH \"SEE ALSO\"\n";
    std::vector<std::string> pages;
    if (self != nullptr) pages.emplace_back("nd");
    for (const CLI::App* command : visible_commands(app))
        if (command != self) pages.push_back(page_name(*command));
    for (const char* other : {"ib_send_lat", "ibv_devinfo", "rping", "ss", "tshark"}) pages.emplace_back(other);
    for (const std::string& page : pages)
        out << ".BR " << escape(page) << (&page == &pages.back() ? " (1)\n" : " (1),\n");
}

}  // namespace

void write_man_page(std::ostream& out, const CLI::App& app) {
    write_title(out, "nd", app.get_description());
    out << ".SH SYNOPSIS\n";
    for (const CLI::App* command : visible_commands(app)) out << synopsis(*command) << "\n.br\n";
    out << ".SH DESCRIPTION\n"
        << escape(
               "nd looks at Network Direct on this host, tries it and measures it. Each command has a page of its own.")
        << "\n.PP\n"
        << escape(kUnits) << "\n.SH COMMANDS\n";
    for (const CLI::App* command : visible_commands(app))
        out << ".TP\n.BR " << escape(page_name(*command)) << " (1)\n" << escape(summary_of(*command)) << ".\n";
    out << ".SH OPTIONS\n";
    write_options(out, app);
    out << ".SH ENVIRONMENT\n";
    write_settings(out);
    write_files(out);
    write_exit_status(out);
    out << ".SH EXAMPLES\n";
    for (const Example& each : examples()) write_example(out, each);
    write_see_also(out, app, nullptr);
}

void write_command_page(std::ostream& out, const CLI::App& app, const CLI::App& command) {
    write_title(out, page_name(command), summary_of(command));
    out << ".SH SYNOPSIS\n" << synopsis(command) << "\n";
    out << ".SH DESCRIPTION\n" << escape(command.get_description()) << "\n";
    out << ".SH OPTIONS\n";
    write_options(out, command);
    out << ".SH EXAMPLES\n";
    for (const Example& each : examples_of(command)) write_example(out, each);
    out << ".SH ENVIRONMENT\n" << escape("The settings of the library, OPENND_..., stand in") << "\n.BR nd (1).\n";
    write_exit_status(out);
    write_see_also(out, app, &command);
}

}  // namespace nd
