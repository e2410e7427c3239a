// SPDX-License-Identifier: MIT
//
// Documents written from the option definitions, so that they cannot disagree with the command.
#pragma once

#include "document/examples.h"

#include <ostream>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace nd {

inline constexpr const char* kExitCodes =
    "Exit code: 0 success, 1 failure, 2 wrong usage, 130 interrupted, 143 ended by SIGTERM.";

inline constexpr const char* kUnits =
    "Units: K, M, G of a size, KiB and MiB are powers of 1024; k, M, G of a rate, MB, GB and Gb are powers of 1000.";

// nd(1), or the page of a command, nd-perf(1).
void write_man_page(std::ostream& out, const CLI::App& app);
void write_command_page(std::ostream& out, const CLI::App& app, const CLI::App& command);

void write_bash_completion(std::ostream& out, const CLI::App& app);
void write_zsh_completion(std::ostream& out, const CLI::App& app);
void write_fish_completion(std::ostream& out, const CLI::App& app);

// All of these into a folder, by the names that they are installed with: man1/nd.1, man1/nd-perf.1 ..., bash/nd, zsh/_nd,
// fish/nd.fish. Throws std::runtime_error for a file that cannot be written.
void write_documents(const std::string& folder, const CLI::App& app);

// The table of docs/settings.md: one row for each setting of the library.
void write_settings_table(std::ostream& out);
// The sections of docs/checking.md: one for each rule of the checking layer.
void write_check_sections(std::ostream& out);
// The sections of docs/statuses.md: one for each number that a call or a request can give.
void write_status_sections(std::ostream& out);

// "NAME  meaning" for each setting of the library; or for those that most people need, with the first words of the meaning.
std::string settings_help();
std::string most_used_settings_help();

// The commands and options that a user is told about: not those of the empty group.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);
std::vector<const CLI::Option*> visible_options(const CLI::App& app);

// The first words of the description of a command, up to a full stop, a colon or a semicolon.
std::string summary_of(const CLI::App& command);

// The values of an option with a fixed set of them (one_of.h); nothing for others.
std::vector<std::string> choices_of(const CLI::Option& option);

// "BYTES"; empty for a flag, and where the choices are the name.
std::string value_name(const CLI::Option& option);
// Its description with choices, default, environment, and the options that it needs or excludes.
std::string explanation_of(const CLI::Option& option);

// The values that a shell can list, from value_name(): a completion offers them.
enum class ValueKind { none, choices, list, file, folder, process, host };
ValueKind kind_of(const CLI::Option& option);
bool takes_value(const CLI::Option& option);

}  // namespace nd
