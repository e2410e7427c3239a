// SPDX-License-Identifier: MIT
//
// Read capture.h first.
#include "inspect/capture.h"

#include "inspect/processes.h"
#include "interruption.h"
#include "nd_error.h"
#include "network/connection/peer_text.h"
#include "text/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <opennd.h>

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace nd {
namespace {

using nlohmann::ordered_json;
using std::chrono::steady_clock;

constexpr std::size_t kReportBytes = 16 * 1024;
constexpr std::chrono::milliseconds kPause{50};
constexpr std::uint64_t kMegabyte = 1'000'000;

std::string words(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text += (text.empty() ? "" : " ") + each;
    return text;
}

constexpr const char* kStandardOutput = "-";

// The whole path, for messages of the process, which has another folder.
std::string request(const CaptureOptions& options) {
    ordered_json json = {
        {"file", options.file == kStandardOutput ? options.file : std::filesystem::absolute(options.file).string()},
        {"snap_bytes", options.snap_bytes},
        {"buffer_bytes", options.buffer_megabytes * kMegabyte}};
    if (options.files != 0) json["files"] = options.files;
    if (options.file_megabytes != 0) json["file_bytes"] = options.file_megabytes * kMegabyte;
    if (!options.filter.empty()) json["filter"] = words(options.filter);
    return json.dump();
}

// A process may be of another version, or lie.
std::string text_in(const ordered_json& report, const char* member) {
    if (!report.is_object() || !report.contains(member) || !report[member].is_string())
        throw std::runtime_error("the process answers in a form that this nd does not know");
    const auto& text = report[member].get_ref<const std::string&>();
    return peer_text(text.data(), text.size());
}

std::uint64_t number_in(const ordered_json& report, const char* member) {
    if (!report.is_object() || !report.contains(member) || !report[member].is_number_unsigned())
        throw std::runtime_error("the process answers in a form that this nd does not know");
    return report[member].get<std::uint64_t>();
}

std::string of_process(unsigned pid, const std::string& reason) {
    return "process " + std::to_string(pid) + ": " + reason;
}

class Running {
public:
    Running(unsigned pid, const std::string& options) {
        std::string text(kReportBytes, '\0');
        SIZE_T needed = 0;
        const HRESULT status = opennd_capture_begin(pid, options.c_str(), &capture_, text.data(), text.size(), &needed);
        if (const char* const reason = reason_of_silence(status)) throw std::runtime_error(of_process(pid, reason));
        check(status, "begin a capture of process " + std::to_string(pid), "opennd_capture_begin");
        report_ = ordered_json::parse(text.c_str(), nullptr, false);
    }
    ~Running() {
        SIZE_T needed = 0;
        if (capture_) (void)opennd_capture_end(capture_, nullptr, 0, &needed);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    // The report of the capture's beginning.
    const ordered_json& report() const { return report_; }
    // The report of the capture's end; null: the process has ended.
    ordered_json end() {
        std::string text(kReportBytes, '\0');
        SIZE_T needed = 0;
        const HRESULT status = opennd_capture_end(std::exchange(capture_, nullptr), text.data(), text.size(), &needed);
        return FAILED(status) ? ordered_json() : ordered_json::parse(text.c_str(), nullptr, false);
    }

private:
    OPENND_CAPTURE* capture_ = nullptr;
    ordered_json report_;
};

// Until a signal, the time, or the process's end.
void wait_for_end(const CaptureOptions& options) {
    const auto until = steady_clock::now() + std::chrono::duration<double>(options.seconds);
    while (!interrupted() && ::kill(static_cast<pid_t>(options.pid), 0) == 0) {
        if (options.seconds != 0 && steady_clock::now() >= until) return;
        std::this_thread::sleep_for(kPause);
    }
}

// Beside a capture to standard output nothing else is written there.
std::FILE* messages(const CaptureOptions& options) { return options.file == kStandardOutput ? stderr : stdout; }

std::string shell_word(const std::string& text) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+,:@%";
    if (text.find_first_not_of(kPlain) == std::string::npos) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

// The line that decodes the file. Without its options tshark takes short messages for those of two other protocols, and calls them
// malformed, and on a port that another protocol has it does not look for iWARP.
void print_decoding(const std::string& file, const CaptureOptions& options) {
    if (options.file == kStandardOutput) return;
    std::printf(
        "decode: tshark -r %s -o tcp.try_heuristic_first:TRUE --disable-heuristic rpcrdma_iwarp "
        "--disable-heuristic smb_direct_iwarp\n",
        shell_word(file).c_str());
}

void print_end(const ordered_json& report, const CaptureOptions& options) {
    if (options.json) {
        JsonOutput(options, messages(options)).print(report);
        return;
    }
    std::fprintf(messages(options), "%s of %s, %llu dropped\n",
                 counted(number_in(report, "packets"), "packet", "packets").c_str(),
                 counted(number_in(report, "connections"), "connection", "connections").c_str(),
                 static_cast<unsigned long long>(number_in(report, "dropped")));
    if (!report.contains("failed")) print_decoding(text_in(report, "file"), options);
}

}  // namespace

void define_capture_options(CLI::App& command, CaptureOptions& options) {
    command.description(
        "Capture the messages of a process for Wireshark. The process writes those of its connections, over shared "
        "memory too, into a file, as iWARP in pcapng, until Ctrl-C. FILTER has the words host ADDRESS, port NUMBER and "
        "wire NAME, with not, and, or; without one every connection is captured. OPENND_CAPTURE does the same for a "
        "program from its beginning.");
    command.add_option("PID", options.pid, "The process, as `nd ps` lists it")->required();
    command.add_option("FILTER", options.filter, "Only such connections");
    command.add_option("-w,--write", options.file, "The file, which is made for this user alone; - is standard output")
        ->type_name("FILE")
        ->required();
    command.add_option("-s,--snapshot-length", options.snap_bytes, "The most bytes of a packet")
        ->type_name("BYTES")
        ->check(CLI::Range(64U, 262'144U))
        ->capture_default_str();
    command.add_option("-C", options.file_megabytes, "Begin another file after so many million bytes")
        ->type_name("MB")
        ->check(CLI::Range(1U, 1'000'000U));
    command.add_option("-W", options.files, "A ring of files: the oldest goes")
        ->type_name("COUNT")
        ->check(CLI::Range(2U, 10'000U));
    command
        .add_option("-B,--buffer-size", options.buffer_megabytes,
                    "Million bytes that may wait to be written; packets beyond are dropped and counted")
        ->type_name("MB")
        ->check(CLI::Range(1U, 100'000U))
        ->capture_default_str();
    command.add_option("--duration", options.seconds, "End after this time; 0: by Ctrl-C alone")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9))
        ->capture_default_str();
    define_json_options(command, options, "Print JSON at the end");
}

int run_capture(const CaptureOptions& options) {
    handle_interrupts(OnInterrupt::stop_cleanly);
    Running capture(options.pid, request(options));
    if (capture.report().is_object() && capture.report().contains("refused"))
        throw std::runtime_error(of_process(options.pid, text_in(capture.report(), "refused")));
    if (!options.json) {
        std::fprintf(messages(options), "capturing to %s; connections that are up: %llu\n",
                     text_in(capture.report(), "file").c_str(),
                     static_cast<unsigned long long>(number_in(capture.report(), "connections")));
        std::fflush(stdout);
    }
    wait_for_end(options);
    const ordered_json report = capture.end();
    if (report.is_null()) {
        std::fprintf(messages(options), "process %u has ended; the file is complete up to there\n", options.pid);
        if (!options.json) print_decoding(options.file, options);
        return 0;
    }
    print_end(report, options);
    if (report.contains("failed"))
        throw std::runtime_error("the file could not be written: " + text_in(report, "failed"));
    return 0;
}

}  // namespace nd
