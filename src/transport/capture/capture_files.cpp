// SPDX-License-Identifier: MIT
// See capture_files.h.
#include "transport/capture/capture_files.h"

#include <ctime>
#include <utility>

#include "base/format.h"
#include "base/log.h"

namespace opennd::capture {
namespace {

// Makes "traffic_x.pcapng" of "traffic.pcapng" and "x".
std::string with_infix(const std::string& path, const std::string& infix) {
    const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
    const std::size_t dot = path.rfind('.');
    const bool has_extension = dot != std::string::npos && dot > name;
    const std::size_t end = has_extension ? dot : path.size();
    return format("{}_{}{}", path.substr(0, end), infix, path.substr(end));
}

std::string local_time(WallTime at) {
    const auto seconds = static_cast<std::time_t>(value(at) / 1'000'000'000);
    std::tm parts{};
    char text[16] = "";
    if (::localtime_r(&seconds, &parts)) std::strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts);
    return text;
}

}  // namespace

Status CaptureFiles::open_next(WallTime at) {
    std::string path;
    Result<WrittenFile> opened = source_->open_next(at, path, reason_);
    if (!opened.ok()) return opened.status();
    file_ = opened.take();
    path_ = std::move(path);
    ++number_;
    return Status::success;
}

std::string FileRing::path_at(WallTime at) const {
    if (!options_.rotates()) return options_.file;
    return with_infix(options_.file, format("{:05}_{}", number_ + 1, local_time(at)));
}

Result<WrittenFile> FileRing::open_next(WallTime at, std::string& path, std::string& reason) {
    if (number_ != 0 && !options_.rotates()) {  // of a process that is captured and asks too often
        reason = "the capture has its one file";
        return Status::invalid_parameter;
    }
    if (options_.file == "-") {
        ++number_;
        path = options_.file;
        return WrittenFile::standard_output(reason);
    }
    path = path_at(at);
    Result<WrittenFile> opened = WrittenFile::open(path, reason);
    if (opened.status() == Status::address_in_use) {
        path = with_infix(path, format("{}", process_));
        log(LogLevel::info, "capture: another process writes {}; this one writes {}", options_.file, path);
        opened = WrittenFile::open(path, reason);
    }
    if (!opened.ok()) return opened;
    ++number_;
    if (options_.files == 0) return opened;
    written_.push_back(path);
    if (written_.size() > options_.files) {
        remove_file(written_.front());
        written_.pop_front();
    }
    return opened;
}

}  // namespace opennd::capture
