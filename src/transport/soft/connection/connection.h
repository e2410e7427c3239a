// SPDX-License-Identifier: MIT
// One end of a connection, as every wire has it: the state, the sink, the queue pair, and each way in which a connection ends.
// WireConnector adds the way in which it comes up. Read connection_state.h first. connection.cpp has the end that this side makes,
// connection_end.cpp the end that both sides want, the peer's, and the queue pair's.
//
// What ends an established connection, and the call of each sink: on_disconnected with this cause; after finish() on_finished with
// connection_aborted, and with success for the cause disconnect. Requests here are canceled, and in the rows with * outstanding until
// core ends them or the retry time is over, as the peer's are in each row. a / b: a over memory, b over TCP.
//
//   cause                                here                   there
//   end(disconnect)                      none                   disconnect; over TCP on_peer_finished before
//   end(abort)                           none                   disconnect / reset
//   finish() of both                     on_finished(success)      on_peer_finished, then on_finished(success)
//   finish(), and the patience is over   on_finished(timed_out)    failure / reset
//   a request fails                      failure                failure
//   the queue pair is released           release                disconnect; over TCP on_peer_finished before
//   no traffic over TCP, by a setting    disconnect             disconnect; on_peer_finished before
// * the peer's host is silent (TCP)      silence
// * the peer's process dies              reset
// * a layer calls lose_peer()            reset                  failure / reset
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
#include "transport/soft/queue_pair/queue_pair.h"
#include "transport/soft/wire.h"

namespace opennd::soft {

class Connection : public ActiveEnd {
public:
    void set_sink(Ref<ConnectorSink> sink) final EXCLUDES(mutex_);
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
    // The end of one that is not up, as the peer sees it, where this side has no words of the program.
    enum class Withdrawal : std::uint8_t {
        cancelled,   // Ending::cancel
        refused,     // Ending::give_up
        impossible,  // it was accepted, and has no channel here
    };
    // The things of this side that the peer can hold up: none, or its copies and messages. In the latter case the
    // service thread comes back until the queue pair is at rest, and never waits.
    enum class PeerHolds : std::uint8_t { nothing, copies };
    // The choice where there is no memory for a deadline: to wait for it, or to throw std::bad_alloc.
    enum class WithoutMemory : std::uint8_t { wait, fail };

    // `wire`: its name, static text.
    Connection(Ref<SoftAdapter> adapter, std::string_view wire, State initial, PeerHolds holds);

    // ---- supplied by the wire

    // Ends, and tells the peer unless it learns that from the end. Active, requesting: cancelled or refused. Replied, requested:
    // impossible.
    virtual void withdraw(Withdrawal how) REQUIRES(mutex_) = 0;
    // Replied or requested: refuses and ends.
    virtual void refuse(std::span<const std::byte> private_data) REQUIRES(mutex_) = 0;
    // Returns true if the peer has completed, though the event of that is still to be handled. Accepting.
    virtual bool peer_has_completed() const REQUIRES(mutex_) = 0;
    // The deadline has passed.
    virtual Call on_deadline() REQUIRES(mutex_) = 0;

    // The farewell has two moments: before the queue pair comes to rest, and when it is at rest. A wire uses one of them.
    virtual void prepare_farewell(Farewell) REQUIRES(mutex_) {}
    virtual void say_farewell(Farewell) REQUIRES(mutex_) {}

    // Tells the peer that this side has finished, once nothing of this side is outstanding. Returns false if the wire
    // is not ready; it is asked again soon.
    virtual bool tell_finished() REQUIRES(mutex_) = 0;
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

    // Lets the queue pair be used over `channel` from now on. Returns false if it was released or flushed to error
    // meanwhile.
    [[nodiscard]] bool attach(Ref<Channel> channel) REQUIRES(mutex_);
    // Takes the pair of addresses until conclude(). Returns false if it has to be `unique`, and a connection has it
    // (ND2-CON-BIND-04).
    [[nodiscard]] bool claim_addresses(const Address& local, const Address& peer, bool unique) REQUIRES(mutex_);
    // Note the facts for a layer (channel_layer.h): the addresses as the programs see them, and the private data of Connect
    // and of Accept, which are kept only where a layer is wanted.
    void note_request(const Address& local, const Address& peer, std::span<const std::byte> private_data)
        REQUIRES(mutex_);
    void note_reply(std::span<const std::byte> private_data) REQUIRES(mutex_);
    // Starts the deadline, in the place of the one before. 0: none.
    void set_deadline(std::chrono::milliseconds from_now, WithoutMemory choice = WithoutMemory::wait) REQUIRES(mutex_);
    void clear_deadline() REQUIRES(mutex_);
    // The peer took its request back, in state requested.
    Call tell_abandoned(Status status) REQUIRES(mutex_);
    // The peer ended the connection, or it was lost. `to_establishing` is told to a side that waits for the other, `cause` to one
    // that does not. Active before a reply: nothing is told.
    Call peer_ended(Status to_establishing, EndCause cause) REQUIRES(mutex_);
    // The peer has told this side that it has finished.
    Call peer_finished() REQUIRES(mutex_);
    // Returns true if peer_finished() has run.
    bool has_peer_finished() const REQUIRES(mutex_) { return peer_finished_; }
    // Flushes the queue pair, and ends the connection.
    void end_connection(Farewell farewell) EXCLUDES(mutex_);
    // Returns true if finish() was called meanwhile and on_finished is due, once, and no on_disconnected. Called after
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
        return due([self = Ref<Connection>(this), function = std::move(function)] {
            if (const Ref<ConnectorSink> sink = self->sink()) function(*sink);
        });
    }
    // Runs `handle` under the lock, and then, without it, the call that this returns, which waits for memory.
    template <typename Handle>
    void under_lock(Handle handle) EXCLUDES(mutex_) {
        Call call;
        {
            const Held lock(mutex_);
            call = handle();
        }
        if (call) until_memory(call);
    }

    const Ref<SoftAdapter> adapter_;

    mutable Mutex mutex_;  // taken before a queue pair's lock; never held while a sink or a queue pair's end is called
    Ref<SoftQueuePair> queue_pair_ GUARDED_BY(mutex_);  // from connect or accept to conclude()
    Ref<SoftQueuePair> given_up_ GUARDED_BY(mutex_);    // active: its peer gave up before complete()
    Ref<ListenerSink> listener_ GUARDED_BY(mutex_);     // passive: until the request came
    ReadLimits limits_ GUARDED_BY(mutex_);              // in force on this side
    Carrier carrier_ GUARDED_BY(mutex_);                // as far as it is known

private:
    // The receiver of calls of the queue pair. It keeps this object alive until the queue pair's connection ended.
    class End;

    Ref<ConnectorSink> sink() const EXCLUDES(mutex_);
    ConnectionFacts facts() const REQUIRES(mutex_);
    std::optional<ConnectionFacts> facts_of_living() const EXCLUDES(mutex_);
    void give_up(bool cancelled) EXCLUDES(mutex_);
    void deadline_passed(std::uint32_t number) EXCLUDES(mutex_);
    // Finishes the graceful end with `outcome`. Returns false if none was under way. The queue pair is flushed before
    // the sink is called.
    bool finish_graceful_end(Status outcome) EXCLUDES(mutex_);
    [[nodiscard]] bool tell_once_drained() EXCLUDES(mutex_);
    void answer_peer_finished() EXCLUDES(mutex_);
    // The connection ended while this side wanted to end it: the peer's disconnect answers, anything else is a failure.
    Call end_answered(Ref<SoftQueuePair> queue_pair, EndCause cause) REQUIRES(mutex_);
    void queue_pair_ended(EndCause cause) EXCLUDES(mutex_);
    void lose_peer() EXCLUDES(mutex_);
    [[nodiscard]] bool try_finish(Status outcome) EXCLUDES(mutex_);
    [[nodiscard]] bool try_end_without_peer(const Ref<SoftQueuePair>& queue_pair) EXCLUDES(mutex_);

    const PeerHolds holds_;
    const bool active_;

    StateMachine<ConnectionState, ConnectionEvent> state_ GUARDED_BY(mutex_);
    StateMachine<GracefulEnd, GracefulEvent> graceful_ GUARDED_BY(mutex_){"graceful end", GracefulEnd::none};
    TimerId patience_ GUARDED_BY(mutex_){};          // of finish()
    std::uint32_t deadline_ GUARDED_BY(mutex_) = 0;  // number of the one in force; others have been cleared
    TimerId timer_ GUARDED_BY(mutex_){};             // of the deadline
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
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
