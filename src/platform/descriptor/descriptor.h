// SPDX-License-Identifier: MIT
// An owned file descriptor: exactly one Descriptor closes it. A child of fork owns none of its parent's.
#pragma once

#include <utility>

namespace opennd {

// Move-only. Not thread-safe; -1 means "none". The process has a table of all that own a descriptor. By it a child of fork closes the
// descriptors that it inherited, before fork returns there: its copies of the objects own nothing from then on (ND2-GEN-11).
class Descriptor {
public:
    // Takes ownership of `fd`. A call that opens a socket, a doorbell or memory goes through made().
    explicit Descriptor(int fd = -1) noexcept;
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }

    // While it lives, no thread of this process is between the two halves of a fork. For calls that do not wait. A thread may have two.
    class Opening {
    public:
        Opening() noexcept;
        ~Opening();
        Opening(const Opening&) = delete;
        Opening& operator=(const Opening&) = delete;
    };
    // The result of `open()`, a system call that does not wait. errno is the call's.
    template <typename Open>
    static Descriptor made(Open&& open) {
        const Opening opening;
        return Descriptor(open());
    }
    // Another descriptor of the same open file, close-on-exec; none if there is no room for it.
    static Descriptor copy_of(int fd);

    // Borrowed: valid while this object owns it.
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

    // The caller owns the descriptor from here and closes it. A child of fork keeps it.
    [[nodiscard]] int release() noexcept;

    // Closes the owned descriptor, then owns `fd`. errno is preserved.
    void reset(int fd = -1) noexcept;
    // The same as reset(), for a file whose close may wait for another process: a fork does not wait for it.
    void close_slowly() noexcept;

private:
    friend class OpenDescriptors;

    int fd_ = -1;
};

// A descriptor that belongs to a library which this one uses. That library closes it, after this object's end. A child of fork closes its copy as it does those of Descriptors.
class LentDescriptor {
public:
    explicit LentDescriptor(int fd) : lent_(fd) {}
    LentDescriptor(const LentDescriptor&) = delete;
    LentDescriptor& operator=(const LentDescriptor&) = delete;
    ~LentDescriptor() { (void)lent_.release(); }

private:
    Descriptor lent_;
};

}  // namespace opennd
