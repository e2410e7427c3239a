// SPDX-License-Identifier: MIT
// See written_file.h.
#include "platform/descriptor/written_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/process/errno_status.h"

namespace opennd {
namespace {

constexpr mode_t kOwnerOnly = 0600;

Status failed(int error, std::string& reason) {
    reason = std::generic_category().message(error);
    return error == EDQUOT || error == EFBIG ? Status::insufficient_resources : status_from_errno(error);
}

}  // namespace

// O_NONBLOCK: a pipe without a reader is an error then, and no wait.
Result<WrittenFile> WrittenFile::open(const std::string& path, std::string& reason) {
    Descriptor opened(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, kOwnerOnly));
    if (!opened) return failed(errno, reason);
    struct stat kind {};
    if (::fstat(opened.get(), &kind) != 0) return failed(errno, reason);
    if (S_ISREG(kind.st_mode)) {
        if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? Status::address_in_use : failed(errno, reason);
        if (::ftruncate(opened.get(), 0) != 0) return failed(errno, reason);
    }
    const int flags = ::fcntl(opened.get(), F_GETFL);
    if (flags < 0 || ::fcntl(opened.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) return failed(errno, reason);
    return WrittenFile(std::move(opened));
}

Status WrittenFile::append(std::span<const std::byte> octets, std::string& reason) {
    std::size_t done = 0;
    while (done < octets.size()) {
        const ssize_t written = ::write(descriptor_.get(), octets.data() + done, octets.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const Status status = failed(errno, reason);
            const auto whole = static_cast<off_t>(bytes_);
            if (done != 0 && ::ftruncate(descriptor_.get(), whole) == 0)
                (void)::lseek(descriptor_.get(), whole, SEEK_SET);
            return status;
        }
        done += static_cast<std::size_t>(written);
    }
    bytes_ += octets.size();
    return Status::success;
}

void remove_file(const std::string& path) { (void)::unlink(path.c_str()); }

}  // namespace opennd
