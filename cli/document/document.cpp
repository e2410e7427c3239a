// SPDX-License-Identifier: MIT
//
// Read document.h first.
#include "document/document.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace nd {
namespace {

std::string names_of(const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) names.push_back(option->get_name());
    std::ranges::sort(names);  // the set is in the order of addresses
    return CLI::detail::join(names, ", ");
}

std::string choices_text(const CLI::Option& option) {
    const std::vector<std::string> choices = choices_of(option);
    if (choices.empty()) return {};
    return (kind_of(option) == ValueKind::list ? "of " : "one of ") + CLI::detail::join(choices, ", ");
}

}  // namespace

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> visible_options(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::string summary_of(const CLI::App& command) {
    const std::string description = command.get_description();
    std::size_t end = description.size();
    for (const char* stop : {". ", ": ", "; "}) end = std::min(end, description.find(stop));
    std::string summary = description.substr(0, end);
    if (summary.ends_with('.')) summary.pop_back();
    return summary;
}

// The type name of such an option ends with "{a,b,c}".
std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find('{'), end = type.rfind('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The type name is "NAME:text of the validators".
std::string value_name(const CLI::Option& option) {
    if (!takes_value(option)) return {};
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

std::string explanation_of(const CLI::Option& option) {
    std::vector<std::string> notes;
    if (std::string choices = choices_text(option); !choices.empty()) notes.push_back(std::move(choices));
    if (!option.get_default_str().empty()) notes.push_back("default " + option.get_default_str());
    if (!option.get_envname().empty()) notes.push_back("environment " + option.get_envname());
    if (!option.get_needs().empty()) notes.push_back("needs " + names_of(option.get_needs()));
    if (!option.get_excludes().empty()) notes.push_back("not with " + names_of(option.get_excludes()));
    std::string text = option.get_description();
    if (!notes.empty()) text += " (" + CLI::detail::join(notes, "; ") + ")";
    return text;
}

ValueKind kind_of(const CLI::Option& option) {
    const std::string name = value_name(option);
    if (name == "LIST" && !choices_of(option).empty()) return ValueKind::list;
    if (!choices_of(option).empty()) return ValueKind::choices;
    if (name == "FILE") return ValueKind::file;
    if (name == "FOLDER") return ValueKind::folder;
    if (name == "ADDRESS" || option.get_name(true) == "ADDRESS") return ValueKind::host;
    if (option.get_name(true) == "PID") return ValueKind::process;
    return ValueKind::none;
}

}  // namespace nd
