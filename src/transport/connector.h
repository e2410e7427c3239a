// SPDX-License-Identifier: MIT
// Seam: one connection being made, used and ended, on either side.
//
// Active side:  TransportAdapter::connect -> on_replied -> complete -> on_established -> ... -> end
// Passive side: (listener hands it out) -> accept -> on_established -> ... -> end
// The state machine of the program's view is core/state/connector_state.h; a transport keeps only what its wire needs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "model/address.h"
#include "model/end_cause.h"
#include "model/limits.h"

namespace opennd {

class TransportQueuePair;

// The addresses of the TCP connection that carries this one, if TCP does: ports may differ from those that programs
// see.
struct StreamAddresses {
    Address local;
    Address peer;
};

// The wire that carries a connection that is up, for people.
struct Carrier {
    std::string_view wire;          // "shm"; static text; empty: not told
    std::int64_t peer_process = 0;  // the peer's, as this process sees it; 0: of another host, or not visible
    std::optional<StreamAddresses> stream = {};
};

// Implemented by core. Every call comes from the service thread, or from inside a method of the connector that the close of
// another object has called; never with a transport lock held; never after close() returned (except a call that had begun).
class ConnectorSink : public RefCounted {
public:
    // Active: the peer accepted. `limits` are this side's effective values (ND2-CON-LIM-04).
    virtual void on_replied(const ReadLimits& limits, std::span<const std::byte> private_data) = 0;
    // Active: no connection. connection_refused (private_data of a reject, may be empty), timed_out, network_unreachable,
    // host_unreachable, address_exists, address_unspecified, connection_aborted, device_removed.
    virtual void on_connect_failed(Status status, std::span<const std::byte> private_data) = 0;
    // Both: the connection is up. Passive: the peer called CompleteConnect. Active: complete() took effect.
    virtual void on_established(const Carrier& carrier) = 0;
    // Passive after a request, or active after a reply: the other side gave up before the connection was up.
    // connection_aborted: cancelled, died, or network broke; connection_refused: rejected or released (ND2-CON-ACC-03).
    virtual void on_establish_failed(Status status) = 0;
    // Both, once the connection was up: it ended. May overtake an on_established that is on its way, which then means
    // nothing. Arrivals were moved up; outstanding requests stay so until TransportQueuePair::end, or for the retry time.
    // EndCause::release: this side's queue pair was closed, and has none.
    virtual void on_disconnected(EndCause cause) = 0;
    // The peer has called finish(), and all its messages have arrived. Both, once, and not after finish(). May overtake an
    // on_established that is on its way. Returns true if the connection goes on until this side ends it too. Returns false
    // if for this side it is over; on_disconnected(EndCause::disconnect) follows.
    virtual bool on_peer_finished() = 0;
    // The outcome of finish(), instead of on_disconnected; nothing of the queue pair is outstanding any more.
    // success; timed_out; connection_aborted: not in order, see on_disconnected; or it was not up.
    virtual void on_finished(Status status) = 0;
};

// The request of a peer; values are the peer's offer already limited to this adapter's abilities (ND2-CON-LIM-02).
struct ConnectionRequest {
    Address local;
    Address peer;
    ReadLimits limits;
    std::vector<std::byte> private_data;
};

// How the bytes of a connection travel, for people.
struct ConnectionPath {
    std::string_view transport;  // "shm"
    std::string_view bulk;       // "mapping", "process_vm", "ring"
};

// Where the local port comes from. A port that OpenND drew for the program is only a label: two connections may carry the
// same. Between two that the program named, the four-tuple is unique (ND2-CON-BIND-04).
enum class PortOrigin : std::uint8_t { program, drawn };

// How this side ends a connection, as the peer sees it.
enum class Ending : std::uint8_t {
    disconnect,  // in order
    abort,       // without a notice, lest the peer take it for the answer to its finish(): over TCP a reset
    cancel,      // a pending Connect was cancelled or released: connection_aborted (ND2-CON-ACC-03). Else as give_up
    give_up,     // a request or reply is refused, as connection_refused; an established connection ends in order
};

class TransportConnector : public RefCounted {
public:
    // Sets the receiver of events from now on; null: none. If the peer abandoned its request before,
    // on_establish_failed follows soon.
    virtual void set_sink(Ref<ConnectorSink> sink) = 0;

    // Active, after on_replied. If the peer gave up meanwhile, the queue pair goes to error (ND2-CON-CMPL-02).
    virtual void complete() = 0;

    // Passive. The effective limits of this side (ND2-CON-LIM-03). If the peer gave up meanwhile, the queue pair goes to
    // error (ND2-CON-ACC-07).
    virtual void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                        std::span<const std::byte> private_data) = 0;

    // Passive: refuses the request; active: refuses the reply. The data reach the peer though the object is released at
    // once (ND2-CON-REJ-03).
    virtual void reject(std::span<const std::byte> private_data) = 0;

    // Ends in any state. An attached queue pair goes to error and flushes (all results are queued on return), or back to idle if it was
    // only connecting. An established connection ends after all data that were reported as sent. disconnect and abort, for an established
    // one, do not call the sink; nor does anything after the other two.
    virtual void end(Ending how) = 0;

    // Ends an established connection when both sides want it. Posted requests are carried out, then the peer is told;
    // when the peer has said the same, or has ended the connection in order, on_finished follows. After `patience` the
    // connection is aborted, and on_finished follows. Until then messages of the peer arrive as before. The caller posts
    // no initiator request any more.
    virtual void finish(std::chrono::milliseconds patience) = 0;

    // True if the peer gave its request up (ND2-LIS-REQ-06).
    virtual bool abandoned() const = 0;

    virtual ConnectionPath path() const = 0;
};

}  // namespace opennd
