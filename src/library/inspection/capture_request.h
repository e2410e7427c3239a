// SPDX-License-Identifier: MIT
// A capture that another process asks for: its options, and its answers, as JSON.
//
//   {"file": "/tmp/x.pcapng", "files": 5, "file_bytes": 1000000, "snap_bytes": 128, "buffer_bytes": 64000000,
//    "filter": "port 4567"}
//
// All but the file may be left out. The process that asks opens the file (file_desk.h); `-` is its standard output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "library/json/json.h"
#include "transport/capture/capture.h"
#include "transport/capture/options.h"

namespace opennd {

// The options that `text` words; nothing: it words none, and `fault` says why.
std::optional<capture::Options> parse_capture_request(std::string_view text, std::string& fault);

// {"file": ..., "connections": 3}: those that were up and are captured.
std::string capture_begun(std::string_view file, std::size_t connections);
// {"refused": "..."}
std::string capture_refused(std::string_view why);
// {"file": ..., "connections": ..., "packets": ..., "dropped": ...}, with "failed" where a write failed.
ordered_json capture_json(const capture::Counts& counts);
std::string capture_ended(const capture::Counts& counts);

}  // namespace opennd
