// SPDX-License-Identifier: MIT
// PollerWatch: see poller_watch.h.
#include "transport/iwarp/poller_watch.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "transport/iwarp/channel.h"

namespace opennd::iwarp {
namespace {

// A poller that stopped silently is noticed after kDistance to twice kDistance.
constexpr std::chrono::milliseconds kDistance{5};

}  // namespace

PollerWatch::PollerWatch() = default;
PollerWatch::~PollerWatch() = default;

void PollerWatch::add(EventLoop& loop, Ref<IwarpChannel> channel) {
    {
        const Held lock(mutex_);
        channels_.push_back(std::move(channel));
        if (std::exchange(running_, true)) return;
    }
    schedule(loop);
}

void PollerWatch::clear() {
    std::vector<Ref<IwarpChannel>> last;  // released outside the lock
    const Held lock(mutex_);
    last = std::exchange(channels_, {});
}

void PollerWatch::schedule(EventLoop& loop) {
    loop.schedule(now() + kDistance, [self = Ref<PollerWatch>(this), &loop] { self->ask_all(loop); });
}

// Channels that are added meanwhile have their first turn the next time.
void PollerWatch::ask_all(EventLoop& loop) {
    std::vector<Ref<IwarpChannel>> asked;
    {
        const Held lock(mutex_);
        asked = std::exchange(channels_, {});
    }
    std::erase_if(asked, [](const Ref<IwarpChannel>& channel) { return !channel->find_idle_poller(); });
    {
        const Held lock(mutex_);
        channels_.insert(channels_.end(), std::make_move_iterator(asked.begin()), std::make_move_iterator(asked.end()));
        running_ = !channels_.empty();
        if (!running_) return;
    }
    schedule(loop);
}

}  // namespace opennd::iwarp
