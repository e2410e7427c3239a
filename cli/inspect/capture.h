// SPDX-License-Identifier: MIT
//
// `nd capture`: lets a running process write what its connections carry into a file for Wireshark.
#pragma once

#include "usage/json_output.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nd {

struct CaptureOptions : JsonOptions {
    unsigned pid = 0;
    std::string file;
    std::uint32_t snap_bytes = 262'144;
    std::uint32_t files = 0;
    std::uint32_t file_megabytes = 0;
    std::uint32_t buffer_megabytes = 64;
    double seconds = 0;
    std::vector<std::string> filter;
};

void define_capture_options(CLI::App& command, CaptureOptions& options);

int run_capture(const CaptureOptions& options);

}  // namespace nd
