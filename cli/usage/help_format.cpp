// SPDX-License-Identifier: MIT
//
// Read help_format.h first.
#include "usage/help_format.h"

#include "document/document.h"
#include "text/wrapped_text.h"

namespace nd {

std::string HelpFormat::make_description(const CLI::App* app) const {
    return wrapped_lines(app->get_description()) + "\n";
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
    std::string examples;
    for (const Example& each : examples_of(*app)) examples += "  nd " + each.words + "\n";
    if (!examples.empty()) examples = "Examples:\n" + examples;
    const std::string footer = app->get_footer();
    return footer.empty() ? examples : examples + (examples.empty() ? "" : "\n") + wrapped_lines(footer) + "\n";
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
    std::string before = "  " + command->get_name(), text;
    for (const std::string& line : wrapped(summary_of(*command), kColumns - kNames)) {
        before.resize(kNames, ' ');
        text += before + line + "\n";
        before.clear();
    }
    return text;
}

// The name of the value alone. Choices, defaults and the rest stand in the explanation.
std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
    const std::string value = value_name(*option);
    return value.empty() || option->get_positional() ? std::string() : " " + value;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
    return wrapped_lines(explanation_of(*option), kColumns - kNames);
}

}  // namespace nd
