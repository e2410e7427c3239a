// SPDX-License-Identifier: MIT
// An owned file descriptor: exactly one Descriptor closes it.
#pragma once

#include <utility>

namespace opennd {

// Move-only. Not thread-safe; -1 means "none".
class Descriptor {
public:
    // Takes ownership of `fd`.
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }

    // Another descriptor of the same open file, close-on-exec; none if there is no room for it.
    static Descriptor copy_of(int fd);

    // Borrowed: valid while this object owns it.
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

    // The caller owns the descriptor from here and closes it.
    [[nodiscard]] int release() { return std::exchange(fd_, -1); }

    // Closes the owned descriptor, then owns `fd`. errno is preserved.
    void reset(int fd = -1);

private:
    int fd_;
};

}  // namespace opennd
