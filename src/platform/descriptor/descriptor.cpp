// SPDX-License-Identifier: MIT
// Copying and closing a descriptor; see descriptor.h.
#include "platform/descriptor/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <new>
#include <shared_mutex>

#include "base/fork_step.h"
#include "base/lock.h"
#include "platform/process/this_process.h"

namespace opennd {

class OpenDescriptors final : public ForkStep {
public:
    constexpr OpenDescriptors() = default;

    void begin_opening() { openings_.lock_shared(); }
    void end_opening() { openings_.unlock_shared(); }

    void add(Descriptor& descriptor, int fd) noexcept {
        descriptor.fd_ = fd;
        const Held lock(mutex_);
        if (has_place(static_cast<std::size_t>(fd))) owners_[fd] = &descriptor;
    }
    // Its descriptor is the caller's.
    int take(Descriptor& descriptor) {
        const int fd = std::exchange(descriptor.fd_, -1);
        const Held lock(mutex_);
        const auto number = static_cast<std::size_t>(fd);
        if (number < places_ && owners_[number] == &descriptor) owners_[number] = nullptr;
        return fd;
    }

private:
    // Returns false if there is no memory; a child of fork keeps this descriptor then.
    bool has_place(std::size_t number) REQUIRES(mutex_) {
        if (number < places_) return true;
        const std::size_t places = std::bit_ceil(std::max(number + 1, kLeastPlaces));
        auto* const owners = new (std::nothrow) Descriptor*[places]();
        if (!owners) return false;
        std::copy_n(owners_, places_, owners);
        delete[] std::exchange(owners_, owners);
        places_ = places;
        return true;
    }
    void before_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS {
        openings_.lock();
        mutex_.lock();
    }
    void behind_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS {
        mutex_.unlock();
        openings_.unlock();
    }
    // close() alone: anything else would reach the file that the parent has as well.
    void begin_child() noexcept override NO_THREAD_SAFETY_ANALYSIS {
        for (std::size_t number = 0; number < places_; ++number)
            if (Descriptor* const inherited = std::exchange(owners_[number], nullptr))
                ::close(std::exchange(inherited->fd_, -1));
        forget_holder(mutex_);
        forget_holder(openings_);
    }

    static constexpr std::size_t kLeastPlaces = 64;

    // Shared by threads that open or close a descriptor and change the table, exclusive to a thread that forks. Readers come first
    // (glibc's default), so that a thread may have it twice. Taken before mutex_.
    std::shared_mutex openings_;
    Mutex mutex_;  // nothing is called under it
    // By number; null: none of the library's. Never destroyed: descriptors are closed while the process exits.
    Descriptor** owners_ GUARDED_BY(mutex_) = nullptr;
    std::size_t places_ GUARDED_BY(mutex_) = 0;
};

namespace {

constinit OpenDescriptors open_descriptors;
[[maybe_unused]] const bool open_descriptors_listed = open_descriptors.list() && watch_forks();

void close_keeping_errno(int fd) {
    if (fd < 0) return;
    const int saved = errno;
    // Not repeated on EINTR: Linux has freed the number by then, and another thread may own it already.
    ::close(fd);
    errno = saved;
}

}  // namespace

Descriptor::Opening::Opening() noexcept { open_descriptors.begin_opening(); }
Descriptor::Opening::~Opening() { open_descriptors.end_opening(); }

Descriptor::Descriptor(int fd) noexcept {
    if (fd >= 0) open_descriptors.add(*this, fd);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : Descriptor(other.release()) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
}

Descriptor Descriptor::copy_of(int fd) {
    return made([fd] { return ::fcntl(fd, F_DUPFD_CLOEXEC, 0); });
}

int Descriptor::release() noexcept { return fd_ < 0 ? -1 : open_descriptors.take(*this); }

void Descriptor::reset(int fd) noexcept {
    if (fd_ == fd) return;
    const Opening closing;
    close_keeping_errno(release());
    if (fd >= 0) open_descriptors.add(*this, fd);
}

void Descriptor::close_slowly() noexcept { close_keeping_errno(release()); }

}  // namespace opennd
