// SPDX-License-Identifier: MIT
//
// Read wrong_usage.h first.
#include "usage/wrong_usage.h"

#include "document/document.h"
#include "text/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace nd {
namespace {

constexpr std::size_t kLetterBytes = 2;  // of "-x"

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
        const std::string complaint = "no option is '" + name + "'";
        if (name.size() <= kLetterBytes) return complaint;  // one letter is as near as any other
        return complaint + did_you_mean(name, option_names(command));
    }
    return {};
}

const CLI::Option* option_with_letter(const CLI::App& command, char letter) {
    for (const CLI::Option* option : visible_options(command))
        if (option->check_sname(std::string(1, letter))) return option;
    return nullptr;
}

// "-s" of "-s8", and of "-as8"; empty: the word does not name the option.
std::string name_in(std::string_view word, const CLI::App& command, const CLI::Option& option) {
    if (word.starts_with("--")) {
        const std::string name(word.substr(2, word.find('=') - 2));
        return !name.empty() && option.check_lname(name) ? "--" + name : std::string();
    }
    if (!word.starts_with('-')) return {};
    for (const char letter : word.substr(1)) {
        const CLI::Option* const named = option_with_letter(command, letter);
        if (named == &option) return {'-', letter};
        if (named == nullptr || takes_value(*named)) break;
    }
    return {};
}

bool is_of_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_';
}

// Returns what the missing option is for; empty if the error is another one.
std::string meaning_of_missing(const CLI::App& command, const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return {};
    for (const CLI::Option* option : visible_options(command))
        if (option->get_required() && option->empty()) return ": " + explanation_of(*option);
    return {};
}

// The parser names each option by its first long name.
std::string with_name_of_user(std::string text, const std::string& told, const std::string& named) {
    for (std::size_t at = text.find(told); at != std::string::npos;) {
        const std::size_t end = at + told.size();
        const bool within_another =
            (at != 0 && is_of_name(text[at - 1])) || (end < text.size() && is_of_name(text[end]));
        if (!within_another) text.replace(at, told.size(), named);
        at = text.find(told, at + (within_another ? told.size() : named.size()));
    }
    return text;
}

std::string with_names_of_user(std::string text, const CLI::App& command, std::span<char* const> words) {
    for (const CLI::Option* option : visible_options(command))
        for (const char* word : words) {
            const std::string named = name_in(word, command, *option), told = option->get_name();
            if (named.empty()) continue;
            if (named != told) text = with_name_of_user(std::move(text), told, named);
            break;
        }
    return text;
}

}  // namespace

std::string complaint_about(const CLI::App& app, const CLI::ParseError& error, std::span<char* const> arguments) {
    const CLI::App& command = command_of(app);
    std::string text = complaint_about_words(app, command);
    if (text.empty() && &app == &command && command.remaining().empty())
        text = "a command is needed: " + CLI::detail::join(command_names(app), ", ");
    if (text.empty()) text = with_names_of_user(error.what(), command, arguments) + meaning_of_missing(command, error);
    const std::string words = words_of(app, command);
    const CLI::Option* const all = command.get_help_all_ptr();
    return words + ": " + text + "\n  " + words + " " + (all == nullptr ? "--help" : all->get_name()) + " tells more";
}

}  // namespace nd
