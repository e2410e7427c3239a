// SPDX-License-Identifier: MIT
// The files of a capture that another process asked for. That process opens them, with its own rights, and the captured one gets
// descriptors: nobody names a file for another process to open. Both hold an end of a socket for it: the captured process sends `next` and
// the time in nanoseconds whenever it needs a file, and gets `file` and the path with a descriptor, or `none` and the reason.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "platform/descriptor/local_socket.h"
#include "platform/process/signals.h"
#include "transport/capture/capture_files.h"

namespace opennd {

// The end of the process that asks: opens files on a thread of its own until this object goes.
class FileDesk {
public:
    // `process`: that is captured. insufficient_resources, no_memory.
    static Result<std::unique_ptr<FileDesk>> open(const capture::Options& options, pid_t process);
    ~FileDesk();
    FileDesk(const FileDesk&) = delete;
    FileDesk& operator=(const FileDesk&) = delete;

    // The captured process's end, which is sent to it. Borrowed.
    int far_end() const { return far_end_.descriptor(); }

private:
    FileDesk(const capture::Options& options, pid_t process, LocalSocket near_end, LocalSocket far_end)
        : files_(options, process), near_end_(std::move(near_end)), far_end_(std::move(far_end)) {}

    static void* serve(void* desk);
    bool serve_one();

    capture::FileRing files_;  // the thread's
    LocalSocket near_end_;     // likewise; shut down by the destructor
    LocalSocket far_end_;      // kept: its destructor ends the connection for every process that has it
    QuietThread thread_;
};

// The end of the captured process.
class VisitorFiles final : public capture::FileSource {
public:
    explicit VisitorFiles(LocalSocket desk) : desk_(std::move(desk)) {}

    Result<WrittenFile> open_next(capture::WallTime at, std::string& path, std::string& reason) override;

private:
    LocalSocket desk_;
};

}  // namespace opennd
