// SPDX-License-Identifier: MIT
// See capture_files.h.
#include "transport/capture/capture_files.h"

#include <utility>

namespace opennd::capture {

Status CaptureFiles::open_next(WallTime at) {
    std::string path;
    Result<WrittenFile> opened = source_->open_next(at, path, reason_);
    if (!opened.ok()) return opened.status();
    file_ = opened.take();
    path_ = std::move(path);
    ++number_;
    return Status::success;
}

}  // namespace opennd::capture
