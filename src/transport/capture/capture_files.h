// SPDX-License-Identifier: MIT
// The files of a capture: one, or a ring of them as dumpcap names them.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>

#include "base/status.h"
#include "platform/descriptor/written_file.h"
#include "transport/capture/options.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

// Not thread-safe.
class CaptureFiles {
public:
    // `process`: of this process, for a name that no other process writes to.
    CaptureFiles(const Options& options, std::int64_t process) : options_(options), process_(process) {}

    // The first file, or the next: the one before is closed, and one too many is removed.
    Status open_next(WallTime at);
    Status append(std::span<const std::byte> blocks) { return file_.append(blocks, reason_); }
    // Of the last failure, in the system's words.
    const std::string& reason() const { return reason_; }
    // Another file is due before these octets.
    bool is_full(std::size_t octets_to_come) const {
        return options_.rotates() && file_.bytes() + octets_to_come > options_.bytes_a_file();
    }
    // Of the newest, from 1; 0: none.
    std::uint32_t number() const { return number_; }
    const std::string& path() const { return path_; }

private:
    std::string path_at(WallTime at) const;

    const Options options_;
    const std::int64_t process_;
    WrittenFile file_;
    std::uint32_t number_ = 0;
    std::string path_, reason_;
    std::deque<std::string> written_;  // of a ring, the oldest first
};

}  // namespace opennd::capture
