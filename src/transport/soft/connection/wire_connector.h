// SPDX-License-Identifier: MIT
// One end of a connection, as every wire has it: the sink, the queue pair, the state, and each way in which a connection ends.
// A wire derives from it and supplies the handshake, the channel and the words of farewell.
//
// wire_connector.cpp sets a connection up and ends it for this side; wire_connector_end.cpp has the end that both sides want,
// the peer's, and the queue pair's. Read connection_state.h first.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/until_memory.h"
#include "platform/thread/event_loop.h"
#include "transport/connector.h"
#include "transport/listener.h"
#include "transport/soft/adapter.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/connection/connection_state.h"
#include "transport/soft/engine/queue_pair.h"
#include "transport/soft/wire.h"

namespace opennd::soft {

class WireConnector : public ActiveEnd {
public:
    void set_sink(Ref<ConnectorSink> sink) final EXCLUDES(mutex_);
    void complete() final EXCLUDES(mutex_);
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) final EXCLUDES(mutex_);
    void reject(std::span<const std::byte> private_data) final EXCLUDES(mutex_);
    void end(Ending how) final EXCLUDES(mutex_);
    void finish(std::chrono::milliseconds patience) final EXCLUDES(mutex_);
    bool abandoned() const final EXCLUDES(mutex_);

protected:
    using State = ConnectionState;
    using Event = ConnectionEvent;
    // A function to call once the lock is released, or nothing.
    using Call = std::function<void()>;
    // The end of an established connection as the peer sees it.
    enum class Farewell : std::uint8_t {
        order,       // this side ended it
        no_notice,   // likewise, and the peer must not take it for that of finish()
        unfinished,  // finish() did not succeed
        failure,     // a request failed here
        death,       // as if this process had died
    };
    // The things of this side that the peer can hold up: none, or its copies and messages. In the latter case the
    // service thread comes back until the queue pair is at rest, and never waits.
    enum class PeerHolds : std::uint8_t { nothing, copies };

    // `wire`: its name, static text.
    WireConnector(Ref<SoftAdapter> adapter, std::string_view wire, State initial, PeerHolds holds);

    // ---- supplied by the wire

    // The descriptor of watch() is ready. On the service thread.
    virtual void on_ready(std::uint32_t epoll_events) EXCLUDES(mutex_) = 0;

    // Returns true if the peer's last word has arrived and waits for on_ready(). Active, replied.
    virtual bool has_last_word() REQUIRES(mutex_) = 0;
    // Active, replied: makes the channel ready and calls attach(). canceled: attach() returned false. connection_aborted: there
    // is no memory.
    virtual Status begin_channel() REQUIRES(mutex_) = 0;
    // Active, just established: tells the peer, unless its first message does.
    virtual void open() REQUIRES(mutex_) = 0;
    // Active, after on_established: takes the messages that came before.
    virtual void take_first_arrivals(SoftQueuePair& queue_pair) EXCLUDES(mutex_) = 0;
    // Passive, requested: sends the reply, makes the channel, calls attach(), and moves to accepting or beyond. `queue_pair_` is
    // set. Otherwise the status says why not.
    virtual Status accept_request(const ReadLimits& limits, std::span<const std::byte> private_data)
        REQUIRES(mutex_) = 0;
    // Ends after begin_channel() or accept_request() failed, and tells the peer if it does not learn it from the end.
    virtual void end_unattached() REQUIRES(mutex_) = 0;
    // Active, requesting: ends. `cancelled`: Ending::cancel.
    virtual void withdraw_request(bool cancelled) REQUIRES(mutex_) = 0;
    // Replied or requested: refuses and ends.
    virtual void refuse(std::span<const std::byte> private_data) REQUIRES(mutex_) = 0;
    // Returns true if the peer has completed, though the event of that is still to be handled. Accepting.
    virtual bool peer_has_completed() const REQUIRES(mutex_) = 0;

    // The farewell has two moments: before the queue pair comes to rest, and when it is at rest. A wire uses one of them.
    virtual void prepare_farewell(Farewell) REQUIRES(mutex_) {}
    virtual void say_farewell(Farewell) REQUIRES(mutex_) {}

    // Tells the peer that this side has finished, once nothing of this side is outstanding. Returns false if the wire
    // is not ready; it is asked again soon.
    virtual bool tell_finished() REQUIRES(mutex_) = 0;
    // Ends the connection: both sides have finished.
    virtual Call end_with_both_finished() REQUIRES(mutex_) = 0;
    // The peer has finished and answers no more, and this side goes on.
    virtual void outlive_peers_finish() REQUIRES(mutex_) {}
    // The peer has finished, and for this side that is the end of the connection.
    virtual Call take_as_end() REQUIRES(mutex_) = 0;

    // Lets go of the wire's own sockets, timers and references. Called by conclude().
    virtual void let_go() REQUIRES(mutex_) = 0;

    // ---- used by the wire

    ConnectionState state() const REQUIRES(mutex_) { return state_.state(); }
    bool is_up() const REQUIRES(mutex_) { return state_ == State::accepting || state_ == State::established; }
    // Advances the state. The table must allow the event.
    void must_advance(Event event) REQUIRES(mutex_) { state_.must_advance(event); }

    // Watches a descriptor: from here on the event loop keeps this object alive, until let_go() removes the descriptor.
    Status watch(int descriptor, std::uint32_t epoll_events) REQUIRES(mutex_);
    // Lets the queue pair be used over `channel` from now on. Returns false if it was released or flushed to error
    // meanwhile.
    [[nodiscard]] bool attach(Ref<Channel> channel) REQUIRES(mutex_);
    // Takes the pair of addresses until conclude(). Returns false if it has to be `unique`, and a connection has it
    // (ND2-CON-BIND-04).
    [[nodiscard]] bool claim_addresses(const Address& local, const Address& peer, bool unique) REQUIRES(mutex_);
    // Note the facts for a layer (channel_layer.h): the addresses as the programs see them, once they are known, and
    // the private data of Connect and of Accept, which are kept only where a layer is wanted.
    void note_ends(const Address& local, const Address& peer) REQUIRES(mutex_) { ends_ = {local, peer}; }
    void note_request(std::span<const std::byte> private_data) REQUIRES(mutex_);
    void note_reply(std::span<const std::byte> private_data) REQUIRES(mutex_);
    // Hands this end to the listener, once.
    Call hand_to_listener(ConnectionRequest request) REQUIRES(mutex_);
    // The peer took its request back, in state requested.
    Call tell_abandoned(Status status) REQUIRES(mutex_);
    // The peer ended the connection, or it was lost. `to_establishing` is told to a side that waits for the other, `cause` to one
    // that does not. Active before a reply: nothing is told.
    Call peer_ended(Status to_establishing, EndCause cause) REQUIRES(mutex_);
    // The peer has told this side that it has finished.
    Call peer_finished() REQUIRES(mutex_);
    // Returns true if peer_finished() has run.
    bool has_peer_finished() const REQUIRES(mutex_) { return peer_finished_; }
    bool ends_gracefully() const REQUIRES(mutex_) { return graceful_ != GracefulEnd::none; }
    // The connection ended while this side wanted to end it: the peer's disconnect answers, anything else is a failure.
    Call end_answered(Ref<SoftQueuePair> queue_pair, EndCause cause) REQUIRES(mutex_);
    // Flushes the queue pair, and ends the connection.
    void end_connection(Farewell farewell) EXCLUDES(mutex_);
    // Finishes the graceful end with `outcome`. Returns false if none was under way. The queue pair is flushed before
    // the sink is called.
    bool finish_graceful_end(Status outcome) EXCLUDES(mutex_);
    // Returns true if finish() was called meanwhile and on_ended is due, once, and no on_disconnected. Called after
    // end_connection().
    [[nodiscard]] bool answer_graceful_end() EXCLUDES(mutex_);
    // Returns a call that makes `call` on the service thread, once that does not wait for a copy that the peer holds
    // up.
    Call at_rest(Ref<SoftQueuePair> queue_pair, Call call);
    // Concludes the connection: nothing is heard or said any more, and all that keeps this object alive lets go. May
    // drop the last other reference.
    void conclude() REQUIRES(mutex_);
    // Runs `function` soon, on the service thread.
    template <typename F>
    void later(F function) {
        adapter_->event_loop().post(due(std::move(function)));
    }
    // Makes a call of `function`. It is due because of an event of before, and so waits for memory.
    template <typename F>
    static Call due(F function) {
        Call call;
        until_memory([&] { call = std::move(function); });
        return call;
    }
    // Makes a call of the sink that is in force when the call runs.
    template <typename F>
    Call to_sink(F function) {
        return due([self = Ref<WireConnector>(this), function = std::move(function)] {
            if (const Ref<ConnectorSink> sink = self->sink()) function(*sink);
        });
    }

    const Ref<SoftAdapter> adapter_;

    mutable Mutex mutex_;  // taken before a queue pair's lock; never held while a sink or a queue pair's end is called
    Ref<SoftQueuePair> queue_pair_ GUARDED_BY(mutex_);  // from connect or accept to conclude()
    Ref<ListenerSink> listener_ GUARDED_BY(mutex_);     // passive: until the request came
    ReadLimits limits_ GUARDED_BY(mutex_);              // in force on this side
    Carrier carrier_ GUARDED_BY(mutex_);                // as far as it is known

private:
    // The receivers of calls of the event loop and of the queue pair. Each keeps this object alive: the event loop's
    // until conclude(), the queue pair's until its connection ended.
    class Watch;
    class End;

    Ref<ConnectorSink> sink() const EXCLUDES(mutex_);
    ConnectionFacts facts() const REQUIRES(mutex_);
    std::optional<ConnectionFacts> facts_of_living() const EXCLUDES(mutex_);
    void release_queue_pair(const Ref<SoftQueuePair>& queue_pair);
    void give_up(bool cancelled) EXCLUDES(mutex_);
    [[nodiscard]] bool tell_once_drained() EXCLUDES(mutex_);
    void answer_peer_finished() EXCLUDES(mutex_);
    void queue_pair_ended(EndCause cause) EXCLUDES(mutex_);
    void lose_peer() EXCLUDES(mutex_);
    [[nodiscard]] bool try_finish(Status outcome) EXCLUDES(mutex_);
    [[nodiscard]] bool try_end_without_peer(const Ref<SoftQueuePair>& queue_pair) EXCLUDES(mutex_);

    const PeerHolds holds_;
    const bool active_;

    StateMachine<ConnectionState, ConnectionEvent> state_ GUARDED_BY(mutex_);
    StateMachine<GracefulEnd, GracefulEvent> graceful_ GUARDED_BY(mutex_){"graceful end", GracefulEnd::none};
    TimerId patience_ GUARDED_BY(mutex_){};  // of finish()
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
    Ref<SoftQueuePair> given_up_ GUARDED_BY(mutex_);  // active: its peer gave up before complete()
    std::optional<std::pair<Address, Address>> claimed_ GUARDED_BY(mutex_);
    std::pair<Address, Address> ends_ GUARDED_BY(mutex_);
    struct Words {
        std::vector<std::byte> request, reply;
    };
    std::unique_ptr<Words> words_ GUARDED_BY(mutex_);  // null: no layer was wanted when they were said
    bool abandoned_ GUARDED_BY(mutex_) = false;
    bool ended_in_order_ GUARDED_BY(mutex_) = false;  // by the peer, while it was established
    bool peer_finished_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::soft
