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

// Returns false if it fails; errno has the reason.
bool fill(std::FILE* file, std::string_view content) {
    return std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0 &&
           ::fchmod(::fileno(file), kReadByAll) == 0 && ::fsync(::fileno(file)) == 0;
}

// Owns the descriptor. False: errno has the reason.
bool fill_and_close(int descriptor, std::string_view content) {
    std::FILE* const file = ::fdopen(descriptor, "w");
    if (file == nullptr) {
        const int failure = errno;
        ::close(descriptor);
        errno = failure;
        return false;
    }
    const bool filled = fill(file, content);
    const int failure = errno;
    if (std::fclose(file) != 0) return false;
    errno = failure;
    return filled;
}

}  // namespace

void replace_file(const std::string& path, std::string_view content) {
    std::string beside = path + ".XXXXXX";
    const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
    if (descriptor >= 0 && fill_and_close(descriptor, content) && std::rename(beside.c_str(), path.c_str()) == 0)
        return;
    const int failure = errno;
    if (descriptor >= 0) (void)::unlink(beside.c_str());
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(failure));
}

}  // namespace nd
