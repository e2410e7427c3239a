// SPDX-License-Identifier: MIT
// The file that a capture writes at present, and the next one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "base/status.h"
#include "platform/descriptor/written_file.h"
#include "transport/capture/options.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

// Opens the files that a capture writes, one after the other: in this process, or in the one that asked for the capture.
// Used by one thread at a time.
class FileSource {
public:
    virtual ~FileSource() = default;
    // Opens the first file, or the next, which begins at `at`. `path` gets its name, `reason` that of a failure. May
    // wait for a few seconds. Statuses of WrittenFile::open, and timed_out or disconnected: the process that opens the
    // file does not answer.
    virtual Result<WrittenFile> open_next(WallTime at, std::string& path, std::string& reason) = 0;
};

// Not thread-safe.
class CaptureFiles {
public:
    CaptureFiles(const Options& options, std::unique_ptr<FileSource> source)
        : options_(options), source_(std::move(source)) {}

    // Opens the first file, or the next, and closes the one before.
    Status open_next(WallTime at);
    Status append(std::span<const std::byte> blocks) { return file_.append(blocks, reason_); }
    // May wait, as WrittenFile::close().
    void close() { file_.close(); }
    // The reason of the last failure, in the system's words.
    const std::string& reason() const { return reason_; }
    // Returns true if another file is due before these octets.
    bool is_full(std::size_t octets_to_come) const {
        return options_.rotates() && file_.bytes() + octets_to_come > options_.bytes_a_file();
    }
    // The number of the newest file, from 1; 0: none.
    std::uint32_t number() const { return number_; }
    const std::string& path() const { return path_; }

private:
    const Options options_;
    const std::unique_ptr<FileSource> source_;
    WrittenFile file_;
    std::uint32_t number_ = 0;
    std::string path_, reason_;
};

// The files of a capture that this process opens: one, or a ring of them as dumpcap names them.
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
