// SPDX-License-Identifier: MIT
// See file_desk.h.
#include "library/inspection/file_desk.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <new>
#include <span>
#include <string_view>

#include "base/format.h"
#include "library/inspection/inspection_socket.h"
#include "platform/process/clock.h"

namespace opennd {
namespace {

constexpr std::string_view kNext = "next ", kFile = "file ", kNone = "none ";
// A slow disk of the process that asks holds up the writer of the captured one, and nobody else.
constexpr std::chrono::seconds kPatience{2};
constexpr std::size_t kMostRecordBytes = 8 * 1024;

Status send(LocalSocket& socket, std::string_view words, std::span<const int> descriptors = {}) {
    return socket.send(std::as_bytes(std::span(words)), descriptors);
}

}  // namespace

Result<std::unique_ptr<FileDesk>> FileDesk::open(const capture::Options& options, pid_t process) {
    auto ends = LocalSocket::pair();
    if (!ends.ok()) return ends.status();
    auto [near_end, far_end] = ends.take();
    std::unique_ptr<FileDesk> desk(new FileDesk(options, process, std::move(near_end), std::move(far_end)));
    const Status status = desk->thread_.start("opennd-files", &FileDesk::serve, desk.get());
    if (!ok(status)) return status;
    return desk;
}

FileDesk::~FileDesk() {
    near_end_.shut_down();
    thread_.join();
}

void* FileDesk::serve(void* desk) {
    try {
        while (static_cast<FileDesk*>(desk)->serve_one()) {
        }
    } catch (const std::bad_alloc&) {  // the other side is told below, and says that the capture cannot go on
    }
    static_cast<FileDesk*>(desk)->near_end_.shut_down();
    return nullptr;
}

// Returns false when this object goes, or the other end asks no known question.
bool FileDesk::serve_one() {
    std::array<std::byte, kMostRecordBytes> room;
    const auto question = receive_words(near_end_, room, std::nullopt);
    if (!question || !question->text.starts_with(kNext)) return false;
    const auto at = number_in(std::string_view(question->text).substr(kNext.size()));
    if (!at) return false;
    std::string path, reason;
    const Result<WrittenFile> opened = files_.open_next(capture::WallTime{*at}, path, reason);
    if (!opened.ok()) return ok(send(near_end_, format("{}{}", kNone, reason)));
    const int descriptor = opened.value().descriptor();
    return ok(send(near_end_, format("{}{}", kFile, path), std::span(&descriptor, 1)));
}

Result<WrittenFile> VisitorFiles::open_next(capture::WallTime at, std::string& path, std::string& reason) {
    reason = "the process that asked does not open it";
    if (const Status asked = send(desk_, format("{}{}", kNext, capture::value(at))); !ok(asked)) return asked;
    std::array<std::byte, kMostRecordBytes> room;
    auto answer = receive_words(desk_, room, now() + kPatience);
    if (!answer) return Status::timed_out;
    if (answer->text.starts_with(kNone)) {
        reason = answer->text.substr(kNone.size());
        return Status::invalid_parameter;
    }
    if (!answer->text.starts_with(kFile) || answer->descriptors.size() != 1) return Status::invalid_parameter;
    path = answer->text.substr(kFile.size());
    return WrittenFile::adopt(answer->descriptors.front().take(), reason);
}

}  // namespace opennd
