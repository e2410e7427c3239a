// SPDX-License-Identifier: MIT
//
// Read generate.h first.
#include "document/generate.h"

#include "document/document.h"
#include "plot/plot_document.h"
#include "profiles.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace nd {
namespace {

using Write = std::function<void(std::ostream&)>;

void add(CLI::App& generate, const Action& action, const char* name, Write write) {
    generate.add_subcommand(name)->callback([action, write = std::move(write)] {
        *action = [write] {
            write(std::cout);
            std::cout.flush();
            return 0;
        };
    });
}

const CLI::App& command_named(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : visible_commands(app))
        if (command->get_name() == name) return *command;
    throw std::invalid_argument("no command is '" + name + "'");
}

// Each line, if it can be parsed: an example that the command does not take is a failure.
void print_examples() {
    for (const Example& each : examples()) {
        CommandLine line = make_command_line();
        line.app->parse(each.words);
        std::cout << "nd " << each.words << "\n";
    }
}

void write_file(const std::filesystem::path& path, const Write& write) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path);
    write(file);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

void write_documents(const std::string& folder, const CLI::App& app) {
    const std::filesystem::path base = folder;
    write_file(base / "man1/nd.1", [&](std::ostream& out) { write_man_page(out, app); });
    for (const CLI::App* command : visible_commands(app))
        write_file(base / ("man1/nd-" + command->get_name() + ".1"),
                   [&](std::ostream& out) { write_command_page(out, app, *command); });
    write_file(base / "bash/nd", [&](std::ostream& out) { write_bash_completion(out, app); });
    write_file(base / "zsh/_nd", [&](std::ostream& out) { write_zsh_completion(out, app); });
    write_file(base / "fish/nd.fish", [&](std::ostream& out) { write_fish_completion(out, app); });
}

void add_generate_command(CLI::App& app, const Action& action) {
    CLI::App& generate =
        *app.add_subcommand("generate", "Write a document from the definitions of the options")->group("");
    generate.require_subcommand(1);
    add(generate, action, "bash-completion", [&app](std::ostream& out) { write_bash_completion(out, app); });
    add(generate, action, "zsh-completion", [&app](std::ostream& out) { write_zsh_completion(out, app); });
    add(generate, action, "fish-completion", [&app](std::ostream& out) { write_fish_completion(out, app); });
    add(generate, action, "profiles", [](std::ostream& out) { write_profile_tables(out); });
    add(generate, action, "checks", [](std::ostream& out) { write_check_sections(out); });
    add(generate, action, "settings", [](std::ostream& out) { write_settings_table(out); });
    add(generate, action, "statuses", [](std::ostream& out) { write_status_sections(out); });
    add(generate, action, "plots", [](std::ostream& out) { draw_plots(std::cin, out); });
    add(generate, action, "examples", [](std::ostream&) { print_examples(); });

    const auto command = std::make_shared<std::string>();
    CLI::App& man = *generate.add_subcommand("man");
    man.add_option("COMMAND", *command);
    man.callback([&app, action, command] {
        *action = [&app, command] {
            if (command->empty())
                write_man_page(std::cout, app);
            else
                write_command_page(std::cout, app, command_named(app, *command));
            return 0;
        };
    });
    const auto folder = std::make_shared<std::string>();
    CLI::App& documents = *generate.add_subcommand("documents");
    documents.add_option("FOLDER", *folder)->required();
    documents.callback([&app, action, folder] {
        *action = [&app, folder] {
            write_documents(*folder, app);
            return 0;
        };
    });
}

}  // namespace nd
