// SPDX-License-Identifier: MIT
// RingChannel: its construction, and its end. See ring_channel.h.
#include "transport/local/ring_channel.h"

#include <utility>

namespace opennd::local {

RingChannel::RingChannel(Parts parts)
    : LanePeer(static_cast<LaneState&>(*this)),
      LaneState(attention_, peer_access_, std::move(parts)),
      outbound_(*this),
      inbound_(*this) {}

RingChannel::~RingChannel() {
    attention_.stop_counting();
    // The memory stays for a peer that has not said that it ends, and may still read it.
    if (parts().link_end && !peer_access_.has_peer_ended()) parts().link_end->keep(producer().take_holdings());
}

void RingChannel::end_peer() {
    keep_out_of_peer();
    peer_access_.end_peer();
}

}  // namespace opennd::local
