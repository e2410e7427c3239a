// SPDX-License-Identifier: MIT
// SocketSet: see socket_set.h.
#include "platform/descriptor/socket_set.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/process/errno_status.h"

namespace opennd {

Result<SocketSet> SocketSet::create() {
    Descriptor descriptor = Descriptor::made([] { return ::epoll_create1(EPOLL_CLOEXEC); });
    if (!descriptor) return resource_status(errno);
    return SocketSet(std::move(descriptor));
}

Status SocketSet::add(int socket, std::uint32_t number) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u32 = number;
    return ::epoll_ctl(descriptor(), EPOLL_CTL_ADD, socket, &event) == 0 ? Status::success : resource_status(errno);
}

void SocketSet::remove(int socket) { (void)::epoll_ctl(descriptor(), EPOLL_CTL_DEL, socket, nullptr); }

std::size_t SocketSet::take(std::span<std::uint32_t, kMostAtOnce> numbers) const {
    std::array<epoll_event, kMostAtOnce> events;
    const int told = ::epoll_wait(descriptor(), events.data(), static_cast<int>(events.size()), 0);
    const auto count = static_cast<std::size_t>(std::max(told, 0));
    for (std::size_t i = 0; i < count; ++i) numbers[i] = events[i].data.u32;
    return count;
}

}  // namespace opennd
