// SPDX-License-Identifier: MIT
// The crowds at both ends of a link: those of the peer, to which this side names its connections, and those of this side, each with the
// source of its names (names.h).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "transport/local/arena/arena.h"
#include "transport/local/link/link_socket.h"
#include "transport/local/link/link_source.h"
#include "transport/local/link/name_writer.h"

namespace opennd::local {

// Thread-safe.
class LinkCrowds final : public NamedConnections {
public:
    // `names` are this side's, and `peers` the other side's; `socket` rings the peer.
    LinkCrowds(EventLoop& loop, LinkSocket& socket, Names& names, Names& peers, NameWriter::History history);

    // Names a connection to these crowds of the peer's, and rings those that sleep. Never blocks.
    void name(std::uint32_t number, std::uint32_t crowds);
    // Returns true if a thread polls one of these crowds of the peer's.
    bool polls_any(std::uint32_t crowds) const;
    // Notes that a thread of this side polls the connection outside crowds, or that none does any more.
    void count_polled(std::uint32_t number, bool polled);

    // Makes a source for the crowd. Null: kCrowds have one each. Throws std::bad_alloc.
    Ref<LinkSource> add_source(soft::Crowd& crowd) EXCLUDES(sources_mutex_);

    // For the sources.
    Names& names() const override { return names_; }
    void remove_source(std::uint32_t number) override EXCLUDES(sources_mutex_);
    void nudge() override;
    void later(std::chrono::milliseconds delay, std::function<void()> work) override;

    // Hears a packet: a crowd that was rung is served. After a nudge the service thread takes over from all pollers of this
    // side: `wake` is called with the number of each connection outside crowds that had one since the peer nudged last.
    template <typename Wake>
    void hear(Wake wake) {
        if (serve_sources()) had_pollers_.take(wake);
    }

private:
    [[nodiscard]] bool serve_sources() EXCLUDES(sources_mutex_);

    // Constant after construction.
    EventLoop& loop_;
    LinkSocket& socket_;
    Names &names_, &peers_;
    NameWriter name_writer_;  // of the peer's names

    NewsMarks had_pollers_;

    // A crowd of this side. `taken`: the names that earlier crowds of this number took. Nothing is called under the
    // mutex.
    struct Source {
        Ref<LinkSource> source;  // null: none
        std::uint64_t taken = 0;
    };
    Mutex sources_mutex_;
    std::array<Source, kCrowds> sources_ GUARDED_BY(sources_mutex_);
};

}  // namespace opennd::local
