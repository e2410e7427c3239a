// SPDX-License-Identifier: MIT
//
// Documents written from the option definitions, so that they cannot disagree with the command.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace nd {

inline constexpr const char* kExitCodes = "Exit code: 0 success, 1 failure, 2 wrong usage, 130 interrupted.";

void write_man_page(std::ostream& out, const CLI::App& app);
void write_bash_completion(std::ostream& out, const CLI::App& app);
// The table of docs/settings.md: one row for each setting of the library.
void write_settings_table(std::ostream& out);
// The sections of docs/checking.md: one for each rule of the checking layer.
void write_check_sections(std::ostream& out);
// The sections of docs/statuses.md: one for each number that a call or a request can give.
void write_status_sections(std::ostream& out);

// "NAME  meaning", one line for each setting of the library.
std::string settings_help();

// The commands and options that a user is told about: not those of the empty group.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);
std::vector<const CLI::Option*> visible_options(const CLI::App& app);

// The values of an option with a fixed set of them (CLI::IsMember); nothing for others.
std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace nd
