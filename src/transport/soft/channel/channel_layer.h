// SPDX-License-Identifier: MIT
// Something that lies between a queue pair and the channel of its wire, and sees what goes through. A queue pair gets it when its
// connection is made, or while it is up; one without it pays nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ref.h"
#include "model/address.h"
#include "model/completion.h"
#include "model/limits.h"
#include "model/sge.h"
#include "transport/soft/channel/channel.h"

namespace opennd {
class RoomJudge;
}

namespace opennd::soft {

class ConnectionEnd;

// A connection as a layer wants to know it.
struct ConnectionFacts {
    Address local, peer;            // as the programs see them
    std::string_view wire;          // static text
    std::int64_t peer_process = 0;  // on this host; 0: not known
    bool active = false;            // this side asked for the connection
    bool under_way = false;         // it was up before the layer came
    ReadLimits limits;              // in force on this side
    ConnectionEnd* end = nullptr;   // while wrap() runs, which may keep a reference; null: it was up before
    // Private data of Connect and of Accept; empty where no layer was wanted when they were said.
    std::vector<std::byte> request_data, reply_data;
};

// Events that no function of a channel tells a layer.
class ConnectionTap {
public:
    virtual ~ConnectionTap() = default;
    // The channel has put a message of the peer into a receive. Under the queue pair's lock, before the program can
    // have the completion. `sges`: the memory of the receive, which the message lies in from its beginning; empty if the
    // message was a Write.
    virtual void on_received(std::span<const Sge> sges, const Completion& completion) = 0;
    // The tap comes. `reads_in_flight`: the Reads of this side that are in flight then. Under the lock.
    virtual void on_tapped(std::uint32_t reads_in_flight) = 0;
    // The peer has ended the connection, and its arrivals were moved up. Under the lock, which no copy is without.
    virtual void on_peers_end() = 0;
};

class ChannelLayer {
public:
    virtual ~ChannelLayer() = default;
    // Returns false if wrap() returns its argument. Any thread.
    virtual bool is_wanted() const = 0;
    // Returns `channel` with the layer around it; or `channel` alone, which has it or needs none, also where there is
    // no memory. Any thread; maybe under the lock of the queue pair.
    virtual Ref<Channel> wrap(Ref<Channel> channel, const ConnectionFacts& facts) = 0;
    // Returns the judge of a completion queue that is made now, which it outlives. Null: nobody takes its room.
    virtual RoomJudge* room_judge() { return nullptr; }
};

// Returns the layer that does nothing.
ChannelLayer& no_layer();

// Two layers as one.
class TwoLayers final : public ChannelLayer {
public:
    // Both outlive it. `outer` is around `inner`.
    TwoLayers(ChannelLayer& inner, ChannelLayer& outer) : inner_(inner), outer_(outer) {}

    bool is_wanted() const override { return inner_.is_wanted() || outer_.is_wanted(); }
    Ref<Channel> wrap(Ref<Channel> channel, const ConnectionFacts& facts) override {
        return outer_.wrap(inner_.wrap(std::move(channel), facts), facts);
    }
    RoomJudge* room_judge() override {
        RoomJudge* const inner = inner_.room_judge();
        return inner != nullptr ? inner : outer_.room_judge();
    }

private:
    ChannelLayer& inner_;
    ChannelLayer& outer_;
};

}  // namespace opennd::soft
