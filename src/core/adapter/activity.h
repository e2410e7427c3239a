// SPDX-License-Identifier: MIT
// The activity of this process at one interface of the host, through every face: live connections, attempts, endpoints and other
// objects, and totals (NDK-STAT-01). Kept as long as the process lives.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "core/adapter/live_objects.h"
#include "core/state/connector_state.h"
#include "model/address.h"
#include "model/face.h"
#include "transport/connector.h"

namespace opennd {

class Listener;

// Totals since the process started; `active` is current.
struct ActivityCounts {
    std::uint64_t connects = 0;
    std::uint64_t accepts = 0;
    std::uint64_t failures = 0;  // of attempts, either way
    std::uint64_t errors = 0;    // of connections, before either side ended them
    std::uint64_t active = 0;
    std::uint64_t queue_errors = 0;

    ActivityCounts& operator+=(const ActivityCounts& more);
};

// A connection that is up, or an attempt at one.
struct LiveConnection {
    Address local;
    Address peer;
    Carrier carrier;
    Face face{};
    std::uint32_t queue_pair = 0;  // QueuePair::number()
    // Set where it is listed: connected, or how far the attempt is, and since when.
    ConnectorState state = ConnectorState::connected;
    std::chrono::steady_clock::time_point since = {};
};

struct LiveEndpoint {
    Address local;
    Face face;
    bool listens;
};

// Any thread; each call holds the lock for a moment. Callers hold their own object's lock.
class Activity final : public RefCounted {
public:
    // One side waits for the other: a request is pending, or a program has not answered one.
    static constexpr bool is_attempt(ConnectorState state) {
        using enum ConnectorState;
        return state == connecting || state == replied || state == completing || state == requested ||
               state == accepting;
    }
    // Whether a transition of a connector between these states changes a count or a list here.
    static constexpr bool concerns(ConnectorState from, ConnectorState to) {
        return is_attempt(from) || from == ConnectorState::connected || is_attempt(to);
    }
    // A connector's place in the lists of connections and attempts. Made with the connector, so that it is listed without memory,
    // which an event of the service thread could not ask for.
    class Place {
    private:
        friend class Activity;
        std::list<LiveConnection> spare_ = std::list<LiveConnection>(1);  // empty while the place is in the list
        std::list<LiveConnection>::iterator listed_;
    };
    // `why`: of a connection that is lost; connection_aborted counts as its error.
    void on_transition(Place& place, ConnectorState from, ConnectorEvent event, Status why, const LiveConnection& is)
        EXCLUDES(mutex_);  // `is`: with the state that follows
    // An adapter has been opened through this face.
    void on_open(Face face) EXCLUDES(mutex_);
    void on_queue_error(Face face) EXCLUDES(mutex_);
    void on_endpoint(const Listener& listener, const LiveEndpoint& is) EXCLUDES(mutex_);
    void on_endpoint_gone(const Listener& listener) EXCLUDES(mutex_);

    Inventory& inventory() { return inventory_; }

    // The counts of all faces, and those of one.
    ActivityCounts counts() const;
    ActivityCounts counts(Face face) const EXCLUDES(mutex_);
    // Those through which an adapter has been opened, ever.
    std::vector<Face> faces() const EXCLUDES(mutex_);
    std::vector<LiveConnection> connections() const EXCLUDES(mutex_);
    std::vector<LiveConnection> attempts() const EXCLUDES(mutex_);
    std::vector<LiveEndpoint> endpoints() const EXCLUDES(mutex_);

private:
    ActivityCounts& counts_of(Face face) REQUIRES(mutex_) { return counts_[static_cast<std::size_t>(face)]; }
    // The list of connectors in this state; null if they are in none.
    std::list<LiveConnection>* list_of(ConnectorState state) REQUIRES(mutex_);

    Inventory inventory_;  // has locks of its own

    mutable Mutex mutex_;                                                  // nothing is called under it
    std::array<ActivityCounts, kFaces.size()> counts_ GUARDED_BY(mutex_);  // by face
    std::array<bool, kFaces.size()> opened_ GUARDED_BY(mutex_){};          // likewise
    std::list<LiveConnection> connections_ GUARDED_BY(mutex_);             // the oldest first
    std::list<LiveConnection> attempts_ GUARDED_BY(mutex_);                // those that stand longest first
    std::unordered_map<const Listener*, LiveEndpoint> endpoints_ GUARDED_BY(mutex_);
};

}  // namespace opennd
