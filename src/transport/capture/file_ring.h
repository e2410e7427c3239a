// SPDX-License-Identifier: MIT
// The files of a capture that this process opens: one, or a ring of them as dumpcap names them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "transport/capture/file_source.h"
#include "transport/capture/options.h"

namespace opennd::capture {

class FileRing final : public FileSource {
public:
    // `process`: that is captured, for a name that no other process writes to.
    FileRing(const Options& options, std::int64_t process) : options_(options), process_(process) {}

    // The file of the name `-` is the standard output.
    Result<WrittenFile> open_next(WallTime at, std::string& path, std::string& reason) override;

private:
    std::string path_at(WallTime at) const;

    const Options options_;
    const std::int64_t process_;
    std::uint32_t number_ = 0;         // of the newest, from 1; 0: none
    std::deque<std::string> written_;  // of a ring, the oldest first
};

}  // namespace opennd::capture
