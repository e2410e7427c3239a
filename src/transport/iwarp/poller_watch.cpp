// SPDX-License-Identifier: MIT
// PollerWatch: see poller_watch.h.
#include "transport/iwarp/poller_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/until_memory.h"

namespace opennd::iwarp {
namespace {

// A poller that stopped silently is noticed after kDistance to twice kDistance.
constexpr std::chrono::milliseconds kDistance{5};

}  // namespace

PollerWatch::PollerWatch() = default;
PollerWatch::~PollerWatch() = default;

void PollerWatch::add(EventLoop& loop, Search search) {
    {
        const Held lock(mutex_);
        append_until_memory(searches_, std::move(search));
        if (std::exchange(running_, true)) return;
    }
    schedule(loop);
}

void PollerWatch::clear() {
    std::vector<Search> last;  // released outside the lock
    const Held lock(mutex_);
    last = std::exchange(searches_, {});
}

void PollerWatch::schedule(EventLoop& loop) {
    until_memory(
        [&] { loop.schedule(now() + kDistance, [self = Ref<PollerWatch>(this), &loop] { self->ask_all(loop); }); });
}

// Searches that are added meanwhile have their first turn the next time.
void PollerWatch::ask_all(EventLoop& loop) {
    std::vector<Search> asked;
    {
        const Held lock(mutex_);
        asked = std::exchange(searches_, {});
    }
    std::erase_if(asked, [](const Search& search) { return !search(); });
    {
        const Held lock(mutex_);
        for (Search& search : asked) append_until_memory(searches_, std::move(search));
        running_ = !searches_.empty();
        if (!running_) return;
    }
    schedule(loop);
}

}  // namespace opennd::iwarp
