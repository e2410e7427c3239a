// SPDX-License-Identifier: MIT
//
// Read command_line.h first; each command defines its own options.
#include "command_line.h"

#include "doctor/doctor.h"
#include "document/document.h"
#include "explain/explain.h"
#include "faults.h"
#include "info.h"
#include "inspect/capture.h"
#include "inspect/dump.h"
#include "inspect/ps.h"
#include "inspect/show.h"
#include "inspect/stats.h"
#include "metrics/metrics.h"
#include "perf/perf.h"
#include "ping/ping.h"
#include "profiles.h"
#include "top/top.h"

#include <opennd.h>

#include <iostream>

namespace nd {
namespace {

using Action = std::shared_ptr<std::function<int()>>;

// Adds a command whose options are Options; run gets them after parsing.
template <typename Options>
void add_command(CLI::App& app, const Action& action, const char* name, void (*define)(CLI::App&, Options&),
                 int (*run)(const Options&)) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(name);
    define(*command, *options);
    command->callback([action, options, run] { *action = [options, run] { return run(*options); }; });
}

void add_generate(CLI::App& app, const Action& action) {
    CLI::App* generate = app.add_subcommand("generate", "Write a document from the definitions of the options");
    generate->group("");
    generate->require_subcommand(1);
    generate->add_subcommand("man")->callback([&app, action] {
        *action = [&app] {
            write_man_page(std::cout, app);
            return 0;
        };
    });
    generate->add_subcommand("bash-completion")->callback([&app, action] {
        *action = [&app] {
            write_bash_completion(std::cout, app);
            return 0;
        };
    });
    generate->add_subcommand("profiles")->callback([action] {
        *action = [] {
            write_profile_tables(std::cout);
            return 0;
        };
    });
    generate->add_subcommand("checks")->callback([action] {
        *action = [] {
            write_check_sections(std::cout);
            return 0;
        };
    });
    generate->add_subcommand("settings")->callback([action] {
        *action = [] {
            write_settings_table(std::cout);
            return 0;
        };
    });
    generate->add_subcommand("statuses")->callback([action] {
        *action = [] {
            write_status_sections(std::cout);
            return 0;
        };
    });
}

}  // namespace

CommandLine make_command_line() {
    CommandLine line = {std::make_unique<CLI::App>("Network Direct on this host: look, try, measure", "nd"),
                        std::make_shared<std::function<int()>>()};
    CLI::App& app = *line.app;
    app.set_version_flag("--version", std::string("nd ") + opennd_version());
    app.require_subcommand(1);
    app.footer(settings_help() + "\n\n" + kExitCodes);
    add_command(app, line.action, "info", define_info_options, run_info);
    add_command(app, line.action, "doctor", define_doctor_options, run_doctor);
    add_command(app, line.action, "ping", define_ping_options, run_ping);
    add_command(app, line.action, "perf", define_perf_options, run_perf);
    add_command(app, line.action, "ps", define_ps_options, run_ps);
    add_command(app, line.action, "show", define_show_options, run_show);
    add_command(app, line.action, "dump", define_dump_options, run_dump);
    add_command(app, line.action, "capture", define_capture_options, run_capture);
    add_command(app, line.action, "stats", define_stats_options, run_stats);
    add_command(app, line.action, "top", define_top_options, run_top);
    add_command(app, line.action, "metrics", define_metrics_options, run_metrics);
    add_command(app, line.action, "faults", define_faults_options, run_faults);
    add_command(app, line.action, "explain", define_explain_options, run_explain);
    add_generate(app, line.action);
    return line;
}

}  // namespace nd
