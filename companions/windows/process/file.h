// SPDX-License-Identifier: MIT
// A file of CreateFile.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "windows/companion.h"

namespace opennd::windows {

class File final : public Companion {
public:
    explicit File(bool is_overlapped) : is_overlapped_(is_overlapped) {}
    ~File() override {
        if (descriptor_ >= 0) close(descriptor_);
    }

    // Once. False: the system does not, and errno says why.
    bool open(const std::string& name, int how) {
        constexpr mode_t kNewFile = 0666;  // less the program's umask
        descriptor_ = ::open(name.c_str(), how, kNewFile);
        return descriptor_ >= 0;
    }

    int descriptor() const { return descriptor_; }
    // For ReadFileEx and WriteFileEx, which work at the place that the OVERLAPPED names.
    bool is_overlapped() const { return is_overlapped_; }

    bool can_read() const { return mode() != O_WRONLY; }
    bool can_write() const { return mode() != O_RDONLY; }

private:
    int mode() const { return fcntl(descriptor_, F_GETFL) & O_ACCMODE; }

    const bool is_overlapped_;
    int descriptor_ = -1;  // constant from the time the file has a handle
};

}  // namespace opennd::windows
