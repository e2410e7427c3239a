// SPDX-License-Identifier: MIT
// See written_file.h.
#include "platform/descriptor/written_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "platform/descriptor/descriptor.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

constexpr mode_t kOwnerOnly = 0600;

Status failed(int error, std::string& reason) {
    reason = std::generic_category().message(error);
    return error == EDQUOT || error == EFBIG ? Status::insufficient_resources : status_from_errno(error);
}

Status refused(const char* why, std::string& reason) {
    reason = why;
    return Status::access_violation;
}

// O_NONBLOCK: a pipe without a reader is an error then, and no wait. Devices have other owners, and no content.
Result<Descriptor> open_own(const std::string& path, std::string& reason) {
    constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    Descriptor file(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, kOwnerOnly));
    if (file) {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
        return errno == EWOULDBLOCK ? Status::address_in_use : failed(errno, reason);
    }
    if (errno != EEXIST) return failed(errno, reason);
    file = Descriptor(::open(path.c_str(), kFlags));
    if (!file && errno == ELOOP) return refused("it is a symbolic link: name the file itself", reason);
    if (!file) return failed(errno, reason);
    struct stat kind {};
    if (::fstat(file.get(), &kind) != 0) return failed(errno, reason);
    if (S_ISCHR(kind.st_mode)) return file;
    if (kind.st_uid != ::geteuid()) return refused("it is there, and another user's: choose another name", reason);
    if (!S_ISREG(kind.st_mode)) return file;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? Status::address_in_use : failed(errno, reason);
    if (::ftruncate(file.get(), 0) != 0) return failed(errno, reason);
    return file;
}

bool write_whole(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

}  // namespace

Result<WrittenFile> WrittenFile::open(const std::string& path, std::string& reason) {
    Result<Descriptor> opened = open_own(path, reason);
    if (!opened.ok()) return opened.status();
    Descriptor file = opened.take();
    const int flags = ::fcntl(file.get(), F_GETFL);
    if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) return failed(errno, reason);
    return adopt(std::move(file), reason);
}

// The place of a text that is appended to a file that others append to as well is not known.
Result<WrittenFile> WrittenFile::adopt(Descriptor descriptor, std::string& reason) {
    const int flags = ::fcntl(descriptor.get(), F_GETFL);
    if (flags < 0) return failed(errno, reason);
    if ((flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH) != 0) {
        reason = "it was not opened for writing";
        return Status::invalid_parameter;
    }
    const std::int64_t begin = (flags & O_APPEND) != 0 ? -1 : ::lseek(descriptor.get(), 0, SEEK_CUR);
    return WrittenFile(std::move(descriptor), begin);
}

Result<WrittenFile> WrittenFile::standard_output(std::string& reason) {
    Descriptor copy = Descriptor::copy_of(STDOUT_FILENO);
    return copy ? adopt(std::move(copy), reason) : failed(errno, reason);
}

Status WrittenFile::append(std::span<const std::byte> octets, std::string& reason) {
    std::size_t done = 0;
    while (done < octets.size()) {
        const ssize_t written = ::write(descriptor_.get(), octets.data() + done, octets.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const Status status = failed(errno, reason);
            const auto whole = static_cast<off_t>(begin_ + static_cast<std::int64_t>(bytes_));
            if (done != 0 && begin_ >= 0 && ::ftruncate(descriptor_.get(), whole) == 0)
                (void)::lseek(descriptor_.get(), whole, SEEK_SET);
            return status;
        }
        done += static_cast<std::size_t>(written);
    }
    bytes_ += octets.size();
    return Status::success;
}

void remove_file(const std::string& path) { (void)::unlink(path.c_str()); }

// The old file keeps what its readers have open; its name is taken from it only if it is this user's.
bool replace_file(const std::string& path, std::string_view text) {
    struct stat old {};
    if (::lstat(path.c_str(), &old) == 0 && old.st_uid != ::geteuid()) {
        errno = EPERM;
        return false;
    }
    std::string beside = path + ".XXXXXX";
    const Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));  // O_EXCL, and mode 0600
    if (!file) return false;
    if (write_whole(file.get(), text) && ::rename(beside.c_str(), path.c_str()) == 0) return true;
    const int error = errno;
    ::unlink(beside.c_str());
    errno = error;
    return false;
}

}  // namespace opennd
