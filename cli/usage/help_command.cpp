// SPDX-License-Identifier: MIT
//
// Read help_command.h first.
#include "usage/help_command.h"

#include "document/document.h"
#include "text/nearest_word.h"

#include <opennd.h>

#include <cstdio>
#include <stdexcept>

namespace nd {
namespace {

constexpr const char* kSettings = "settings";

std::string help_about(const std::string& topic) {
    if (topic == kSettings) return settings_help() + "\n";
    // Another one than the command line that asks: its words are not in the way.
    const CommandLine line = make_command_line();
    if (topic.empty()) return line.app->help();
    std::vector<std::string> topics = {kSettings};
    for (const CLI::App* command : visible_commands(*line.app)) {
        topics.push_back(command->get_name());
        if (topic == command->get_name()) return command->help("nd", CLI::AppFormatMode::All);
    }
    throw std::invalid_argument("help: no command is '" + topic + "'" + did_you_mean(topic, topics) +
                                "\n  nd help lists them; nd help settings has the environment");
}

}  // namespace

void add_help_command(CLI::App& app, const Action& action) {
    CLI::App& help = *app.add_subcommand("help", "Print help about nd, a command, or the settings")->group("");
    const auto topic = std::make_shared<std::string>();
    help.add_option("COMMAND", *topic, "A command, or the word settings");
    help.callback([action, topic] {
        *action = [topic] {
            std::fputs(help_about(*topic).c_str(), stdout);
            return 0;
        };
    });
}

void add_version_command(CLI::App& app, const Action& action) {
    app.add_subcommand("version", "Print the version")->group("")->callback([action] {
        *action = [] {
            std::printf("nd %s\n", opennd_version());
            return 0;
        };
    });
}

}  // namespace nd
