// SPDX-License-Identifier: MIT
//
// Read command_line.h first; each command defines its own options.
#include "command_line.h"

#include "doctor/doctor.h"
#include "document/document.h"
#include "document/generate.h"
#include "explain/explain.h"
#include "faults.h"
#include "info/info.h"
#include "inspect/capture.h"
#include "inspect/dump.h"
#include "inspect/ps.h"
#include "inspect/show.h"
#include "inspect/stats.h"
#include "metrics/metrics.h"
#include "perf/perf.h"
#include "ping/ping.h"
#include "top/top.h"
#include "usage/help_command.h"
#include "usage/help_format.h"

#include <opennd.h>

namespace nd {
namespace {

// Adds a command whose options are Options; run gets them after parsing.
template <typename Options>
void add_command(CLI::App& app, const Action& action, const char* name, void (*define)(CLI::App&, Options&),
                 int (*run)(const Options&)) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(name);
    define(*command, *options);
    command->callback([action, options, run] { *action = [options, run] { return run(*options); }; });
}

}  // namespace

CommandLine make_command_line() {
    CommandLine line = {std::make_unique<CLI::App>("Network Direct on this host: look, try, measure", "nd"),
                        std::make_shared<std::function<int()>>()};
    CLI::App& app = *line.app;
    const std::string version = std::string("nd ") + opennd_version();
    app.set_version_flag("-V,--version", version);
    app.formatter(std::make_shared<HelpFormat>());  // the commands take it over
    app.require_subcommand(1);
    app.footer(std::string(kExitCodes) + " `nd help settings` has the environment.");  // of the commands
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
    add_generate_command(app, line.action);
    add_help_command(app, line.action);
    add_version_command(app, line.action);
    app.get_subcommand("perf")->set_version_flag("-V,--version", version);  // as perftest's programs have it
    app.footer(most_used_settings_help() +
               "\n\n`nd help COMMAND` tells more, `nd help settings` has all of the environment.\n" + kUnits + "\n" +
               kExitCodes);
    return line;
}

}  // namespace nd
