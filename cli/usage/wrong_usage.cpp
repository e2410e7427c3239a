// SPDX-License-Identifier: MIT
//
// Read wrong_usage.h first.
#include "usage/wrong_usage.h"

#include "document/document.h"
#include "text/nearest_word.h"

#include <algorithm>
#include <vector>

namespace nd {
namespace {

// The command that was named, or the app itself.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> named = app.get_subcommands();
    return named.empty() ? app : *named.front();
}

std::string words_of(const CLI::App& app, const CLI::App& command) {
    return &app == &command ? app.get_name() : app.get_name() + " " + command.get_name();
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : visible_options(command)) {
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : visible_commands(app)) names.push_back(command->get_name());
    return names;
}

// Words that no option and no argument took. An unknown option comes first: it may have shifted the others.
std::string complaint_about_words(const CLI::App& app, const CLI::App& command) {
    const std::vector<std::string> left = command.remaining();
    const auto option = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
    if (&app == &command && !left.empty() && option != left.begin())
        return "no command is '" + left.front() + "'" + did_you_mean(left.front(), command_names(app));
    if (option != left.end()) {
        const std::string name = option->substr(0, option->find('='));
        return "no option is '" + name + "'" + did_you_mean(name, option_names(command));
    }
    return {};
}

}  // namespace

std::string complaint_about(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = command_of(app);
    std::string text = complaint_about_words(app, command);
    if (text.empty() && &app == &command && command.remaining().empty())
        text = "a command is needed: " + CLI::detail::join(command_names(app), ", ");
    if (text.empty()) text = error.what();
    const std::string words = words_of(app, command);
    return words + ": " + text + "\n  " + words + " --help tells more";
}

}  // namespace nd
