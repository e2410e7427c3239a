// SPDX-License-Identifier: MIT
// See replaced_file.h.
#include "platform/descriptor/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "platform/descriptor/descriptor.h"

namespace opennd {
namespace {

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
