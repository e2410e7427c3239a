// SPDX-License-Identifier: MIT
//
// A capture of this process, which an adapter is open in, to a file that goes with it.
#pragma once

#include <string>

#include <opennd.h>

#include "support/capture_reading.h"

namespace opennd::support {

// Throws std::runtime_error where it cannot begin.
class OwnCapture {
public:
    // `options`: more members of the JSON object, as "\"snap_bytes\": 100".
    explicit OwnCapture(const std::string& options = {});
    ~OwnCapture();
    OwnCapture(const OwnCapture&) = delete;
    OwnCapture& operator=(const OwnCapture&) = delete;

    // Ends it.
    CaptureReading reading();
    CaptureReading packets();
    // JSON; of the end, after one of the above.
    const std::string& report() const { return report_; }

private:
    void end();

    std::string path_, report_;
    OPENND_CAPTURE* capture_ = nullptr;
};

}  // namespace opennd::support
