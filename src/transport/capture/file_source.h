// SPDX-License-Identifier: MIT
// Opens the files that a capture writes, one after the other: in this process, or in the one that asked for the capture.
#pragma once

#include <string>

#include "base/result.h"
#include "platform/descriptor/written_file.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

// Used by one thread at a time.
class FileSource {
public:
    virtual ~FileSource() = default;
    // The first file, or the next, which begins at `at`; `path` gets its name, `reason` that of a failure. May wait for a few seconds.
    // As WrittenFile::open; timed_out, disconnected: the process that opens it does not answer.
    virtual Result<WrittenFile> open_next(WallTime at, std::string& path, std::string& reason) = 0;
};

}  // namespace opennd::capture
