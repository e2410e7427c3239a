// SPDX-License-Identifier: MIT
// The file that a capture writes at present, and the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "platform/descriptor/written_file.h"
#include "transport/capture/file_source.h"
#include "transport/capture/options.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

// Not thread-safe.
class CaptureFiles {
public:
    CaptureFiles(const Options& options, std::unique_ptr<FileSource> source)
        : options_(options), source_(std::move(source)) {}

    // The first file, or the next: the one before is closed.
    Status open_next(WallTime at);
    Status append(std::span<const std::byte> blocks) { return file_.append(blocks, reason_); }
    // May wait, as WrittenFile::close().
    void close() { file_.close(); }
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
    const Options options_;
    const std::unique_ptr<FileSource> source_;
    WrittenFile file_;
    std::uint32_t number_ = 0;
    std::string path_, reason_;
};

}  // namespace opennd::capture
