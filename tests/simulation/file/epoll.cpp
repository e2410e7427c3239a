// SPDX-License-Identifier: MIT
// See epoll.h.
#include "simulation/file/epoll.h"

#include <algorithm>
#include <cerrno>

namespace opennd::simulation {
namespace {

constexpr std::uint32_t kUnasked = EPOLLERR | EPOLLHUP;

}  // namespace

int Epoll::control(int operation, File& file, epoll_event* event) {
    const auto found = watches_.find(&file);
    switch (operation) {
        case EPOLL_CTL_ADD: {
            if (found != watches_.end()) return EEXIST;
            Watch& watch = watches_[&file];
            watch.wanted = *event;
            file.watched_by_.push_back(this);
            if ((file.readiness() & (event->events | kUnasked)) != 0) list(file, watch);
            return 0;
        }
        case EPOLL_CTL_MOD:
            if (found == watches_.end()) return ENOENT;
            found->second.wanted = *event;
            if ((file.readiness() & (event->events | kUnasked)) != 0) list(file, found->second);
            return 0;
        default:
            if (found == watches_.end()) return ENOENT;
            forget(file);
            return 0;
    }
}

void Epoll::forget(File& file) {
    watches_.erase(&file);
    std::erase(ready_, &file);
    std::erase(file.watched_by_, this);
}

void Epoll::list(File& file, Watch& watch) {
    if (!watch.listed) {
        watch.listed = true;
        ready_.push_back(&file);
    }
    (void)world_.wake_newest(waiters_);
    tell(world_, EPOLLIN);
}

std::uint32_t Epoll::readiness() {
    const auto is_ready = [this](File* file) {
        return (file->readiness() & (watches_.at(file).wanted.events | kUnasked)) != 0;
    };
    return std::any_of(ready_.begin(), ready_.end(), is_ready) ? std::uint32_t{EPOLLIN} : 0;
}

void Epoll::hear(World&, File& file, std::uint32_t events) {
    Watch& watch = watches_.at(&file);
    if ((events & (watch.wanted.events | kUnasked)) != 0) list(file, watch);
}

// Checks again the readiness of each listed file. A level-triggered one stays listed, and wakes the next waiter.
int Epoll::collect(std::span<epoll_event> events) {
    int count = 0;
    for (std::size_t left = ready_.size(); left > 0 && count < static_cast<int>(events.size()); --left) {
        File& file = *ready_.front();
        ready_.pop_front();
        Watch& watch = watches_.at(&file);
        watch.listed = false;
        const std::uint32_t ready = file.readiness() & (watch.wanted.events | kUnasked);
        if (ready == 0) continue;
        events[static_cast<std::size_t>(count)].events = ready;
        events[static_cast<std::size_t>(count)].data = watch.wanted.data;
        ++count;
        if ((watch.wanted.events & EPOLLET) != 0) continue;
        watch.listed = true;
        ready_.push_back(&file);
    }
    if (!ready_.empty()) (void)world_.wake_newest(waiters_);
    return count;
}

int Epoll::wait(std::span<epoll_event> events, int timeout_ms) {
    std::optional<Nanoseconds> deadline;
    if (timeout_ms >= 0) deadline = world_.time() + timeout_ms * kMillisecond;
    for (;;) {
        if (const int count = collect(events); count > 0) return count;
        if (timeout_ms == 0 || (deadline && world_.time() >= *deadline)) return 0;
        if (!world_.wait(waiters_, deadline)) return collect(events);
    }
}

}  // namespace opennd::simulation
