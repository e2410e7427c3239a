// SPDX-License-Identifier: MIT
//
// Read help_format.h first.
#include "usage/help_format.h"

#include "document/document.h"
#include "text/wrapped_text.h"

#include <utility>
#include <vector>

namespace nd {

std::string HelpFormat::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    if (app->get_help_all_ptr() == nullptr || mode == CLI::AppFormatMode::All)
        return CLI::Formatter::make_help(app, std::move(name), mode);
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + first_options(*app) +
           "\n" + make_footer(app);
}

std::string HelpFormat::first_options(const CLI::App& app) const {
    const CLI::Option& all = *app.get_help_all_ptr();
    std::vector<const CLI::Option*> shown;
    std::size_t others = 0;
    for (const CLI::Option* option : visible_options(app)) {
        if (option->get_positional()) continue;
        if (option->get_group() == all.get_group())
            shown.push_back(option);
        else
            ++others;
    }
    return make_group(all.get_group(), false, shown) + "\n" + std::to_string(others) + " more: nd " + app.get_name() +
           " " + all.get_name() + "\n";
}

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
