// SPDX-License-Identifier: MIT
//
// The `nd` command. command_line.cpp has the commands; each says what it does in its own folder.
#include "command_line.h"
#include "interruption.h"
#include "text/complaint.h"
#include "usage/json_output.h"
#include "usage/wrong_usage.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int complain(const std::string& what, int exit_code) {
    std::fflush(stdout);
    nd::print_complaint("nd: " + what);
    return exit_code;
}

// A file system may be full. What was printed before says nothing of it.
int with_output_written(int exit_code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    return complain("cannot write all of the output to standard output", exit_code == 0 ? kFailed : exit_code);
}

int run(const std::function<int()>& action) {
    try {
        return action();
    } catch (const nd::Interrupted&) {
        return nd::interrupted_exit();
    } catch (const std::invalid_argument& wrong) {
        return complain(wrong.what(), kWrongUsage);
    } catch (const std::bad_alloc&) {
        return complain("out of memory; use smaller sizes or depths", kFailed);
    } catch (const std::exception& failure) {
        return complain(failure.what(), kFailed);
    }
}

}  // namespace

int main(int argc, char** argv) {
    nd::CommandLine line = nd::make_command_line();
    const std::optional<std::string> behind_json = nd::word_behind_json({argv, static_cast<std::size_t>(argc)});
    if (behind_json && nd::is_file_name(*behind_json)) return complain(nd::file_usage(*behind_json), kWrongUsage);
    try {
        line.app->parse(argc, argv);
    } catch (const CLI::Success& asked) {  // for help, or the version
        line.app->exit(asked);
        std::cout.flush();
        return with_output_written(0);
    } catch (const CLI::ParseError& error) {
        nd::print_complaint(nd::complaint_about(*line.app, error, {argv, static_cast<std::size_t>(argc)}));
        if (behind_json) nd::print_complaint("  " + nd::file_usage(*behind_json));
        return kWrongUsage;
    }
    return with_output_written(run(*line.action));
}
