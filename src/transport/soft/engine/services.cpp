// SPDX-License-Identifier: MIT
// Services: see services.h.
#include "transport/soft/engine/services.h"

#include <bit>
#include <new>

#include "platform/host/host.h"

namespace opennd::soft {

Services::Services(EventLoop& first, std::size_t most, std::uint32_t most_patience)
    : first_loop_(first),
      most_(most != 0 ? most : kMostLoops),
      most_busy_(most != 0 ? most : static_cast<std::size_t>(std::popcount(usable_processors()))),
      most_patience_(most_patience),
      places_(1) {}

Status Services::start() {
    const Held lock(mutex_);
    return start(places_.front(), first_loop_);
}

Status Services::start(Place& place, EventLoop& loop) {
    if (place.service) return Status::success;
    auto service = Service::start(loop);
    if (!service.ok()) return service.status();
    place.service = service.take();
    if (&loop == &first_loop_) first_.store(place.service.get(), std::memory_order_release);
    return Status::success;
}

Service& Services::of_thread() {
    if (EventLoop::thread_has_own()) return at(EventLoop::of_thread()->number());
    Service& service = at(threads_.fetch_add(1, std::memory_order_relaxed) % most_);
    service.loop().serve_thread();
    return service;
}

Service& Services::next() { return at(next_.fetch_add(1, std::memory_order_relaxed) % most_busy_); }

// Where there is no descriptor, thread or memory for another one, the first one does its work.
Service& Services::at(std::size_t number) {
    if (number == 0) return first();
    const Held lock(mutex_);
    try {
        if (places_.size() <= number) places_.resize(number + 1);
        Place& place = places_[number];
        if (!place.loop) place.loop = std::make_unique<EventLoop>(number);
        if (ok(start(place, *place.loop))) return *place.service;
    } catch (const std::bad_alloc&) {
    }
    return first();
}

}  // namespace opennd::soft
