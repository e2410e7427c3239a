// SPDX-License-Identifier: MIT
//
// Read own_capture.h first.
#include "support/own_capture.h"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace opennd::support {
namespace {

constexpr SIZE_T kReportBytes = 4096;

std::string new_path() {
    const char* const folder = std::getenv("TMPDIR");
    std::string path = std::string(folder ? folder : "/tmp") + "/opennd_capture_XXXXXX";
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0) throw std::runtime_error("no file can be made in " + path);
    ::close(descriptor);
    return path;
}

}  // namespace

OwnCapture::OwnCapture(const std::string& options) : path_(new_path()), report_(kReportBytes, '\0') {
    const std::string request = "{\"file\": \"" + path_ + "\"" + (options.empty() ? "" : ", " + options) + "}";
    SIZE_T needed = 0;
    const HRESULT status = opennd_capture_begin(static_cast<ULONG>(::getpid()), request.c_str(), &capture_,
                                                report_.data(), report_.size(), &needed);
    if (FAILED(status) || report_.find("refused") != std::string::npos)
        throw std::runtime_error("no capture begins: " + report_);
}

OwnCapture::~OwnCapture() {
    end();
    (void)::unlink(path_.c_str());
}

void OwnCapture::end() {
    if (!capture_) return;
    report_.assign(kReportBytes, '\0');
    SIZE_T needed = 0;
    (void)opennd_capture_end(std::exchange(capture_, nullptr), report_.data(), report_.size(), &needed);
}

CaptureReading OwnCapture::reading() {
    end();
    return read_capture(path_);
}

CaptureReading OwnCapture::packets() {
    end();
    return read_packets(path_);
}

}  // namespace opennd::support
