// SPDX-License-Identifier: MIT
//
// Read report_file.h first.
#include "perf/report/report_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace nd {
namespace {

[[noreturn]] void fail(const std::string& file) {
    throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));
}

}  // namespace

void write_report(const std::string& file, const std::function<void(std::ostream&)>& write) {
    if (file == kStandardOutput) {
        write(std::cout);
        std::cout.flush();
        return;
    }
    std::ofstream stream(file);
    if (!stream) fail(file);
    write(stream);
    stream.close();
    if (!stream) fail(file);
}

void check_report_file(const std::string& file) {
    if (file.empty() || file == kStandardOutput) return;
    const bool existed = std::filesystem::exists(file);
    std::ofstream stream(file, std::ios::app);
    if (!stream) fail(file);
    stream.close();
    if (!existed) std::filesystem::remove(file);
}

}  // namespace nd
