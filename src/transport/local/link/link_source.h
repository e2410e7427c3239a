// SPDX-License-Identifier: MIT
// The connections of a link that are in one crowd of this side: its peer names those with arrivals, outcomes or room (names.h).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/local/arena/names.h"
#include "transport/soft/channel/ready_source.h"

namespace opennd::local {

// A link as its sources see it. It lives as long as a connection is in one of their crowds. Any thread.
class NamedConnections {
public:
    // The names of this side's connections.
    virtual Names& names() const = 0;
    // The number is another crowd's from here on.
    virtual void remove_source(std::uint32_t number) = 0;
    // The peer's pollers may have stopped silently: its service thread takes over.
    virtual void nudge() = 0;
    // Runs `work` on the service thread.
    virtual void later(std::chrono::milliseconds delay, std::function<void()> work) = 0;

protected:
    ~NamedConnections() = default;
};

class LinkSource final : public soft::ReadySource {
public:
    // Makes the source of the link's crowd of this number, of which `taken` names were taken before.
    LinkSource(NamedConnections& link, std::uint32_t number, std::uint64_t taken, soft::Crowd& crowd);

    void collect(soft::ReadyList& ready, soft::Asking asking) override;
    void set_attention(soft::Attention attention) override;
    soft::Attention attention() const override { return attention_.load(std::memory_order_relaxed); }
    void nudge() override;
    void close() override EXCLUDES(crowd_mutex_);

    // For the channels, under the list lock of the queue.

    // The bit of the crowd in LaneWish.
    std::uint32_t bit() const { return 1u << number_; }
    // Adds a connection: its names are for `place` from here on. The next collect() adds the place once, for arrivals
    // from before. `asymmetric`: both sides can make heavy barriers. Throws std::bad_alloc.
    void add(std::uint32_t connection, soft::Place place, bool asymmetric);
    // Removes a connection. Returns true if it was the last.
    [[nodiscard]] bool remove(std::uint32_t connection);

    // Hears a packet, for the link, on the service thread; no lock held. `nudged`: the peer believes that this side's
    // pollers have stopped.
    void hear(bool nudged) EXCLUDES(crowd_mutex_);
    std::uint64_t taken() const { return taken_; }

private:
    Names::Crowd& shared() const;
    void tell(soft::Attention attention);
    Ref<soft::Crowd> crowd() const EXCLUDES(crowd_mutex_);
    void look_after_poller(const soft::Crowd& crowd);

    static constexpr soft::Place kNone{UINT32_MAX};

    // Constant after construction.
    NamedConnections& link_;
    Names& names_;
    const std::uint32_t number_;

    // Guarded by the list lock of the queue.
    std::vector<soft::Place> places_;  // by connection
    soft::ReadyList joined_;           // not named to the queue yet
    std::uint32_t connections_ = 0;
    std::uint64_t taken_;
    bool asymmetric_ = true;

    // The attention that was told last. Written under the list lock. Relaxed: the caller orders it, as a channel's.
    std::atomic<soft::Attention> attention_{soft::Attention::asleep};

    // True while a look after the poller is due. Relaxed: the loop orders the rest.
    std::atomic<bool> looks_{false};

    mutable Mutex crowd_mutex_;                        // nothing is called under it
    Ref<soft::Crowd> crowd_ GUARDED_BY(crowd_mutex_);  // until close()
};

}  // namespace opennd::local
