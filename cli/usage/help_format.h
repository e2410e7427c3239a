// SPDX-License-Identifier: MIT
//
// The text of --help in 80 columns.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace nd {

class HelpFormat final : public CLI::Formatter {
public:
    HelpFormat() { column_width(kNames); }

    // --help prints the options of the first group alone where the command has --help-all.
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_description(const CLI::App* app) const override;
    std::string make_footer(const CLI::App* app) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;

private:
    std::string first_options(const CLI::App& app) const;

    static constexpr std::size_t kNames = 26;  // columns for names, before the explanations
};

}  // namespace nd
