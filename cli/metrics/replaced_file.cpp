// SPDX-License-Identifier: MIT
//
// Read replaced_file.h first.
#include "metrics/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace nd {
namespace {

constexpr mode_t kReadByAll = 0644;

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// False: errno has the reason.
bool fill_and_rename(int descriptor, const std::string& from, const std::string& to, std::string_view content) {
    bool done = write_all(descriptor, content) && ::fchmod(descriptor, kReadByAll) == 0 && ::fsync(descriptor) == 0;
    const int failure = errno;
    if (::close(descriptor) != 0) return false;
    errno = failure;
    return done && std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

void replace_file(const std::string& path, std::string_view content) {
    std::string beside = path + ".XXXXXX";
    const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
    if (descriptor >= 0 && fill_and_rename(descriptor, beside, path, content)) return;
    const int failure = errno;
    if (descriptor >= 0) (void)::unlink(beside.c_str());
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(failure));
}

}  // namespace nd
