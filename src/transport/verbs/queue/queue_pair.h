// SPDX-License-Identifier: MIT
// One end of a connection over hardware: the requests of the program, and an ibv_qp that carries them out. OpenND makes the
// ibv_qp and moves it through its states itself; the connector supplies the attributes (docs/verbs.md).
//
// Receives wait here until an attempt to connect begins, so that a flush while idle and a second attempt need no hardware.
#pragma once

#include <optional>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "transport/queue_pair.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/queue/message_watch.h"

namespace opennd::verbs {

// Called with no queue pair lock held, on any thread.
class ConnectionEnd : public RefCounted {
public:
    // A request failed here, or the device reports the queue pair failed: end the connection (rdma_disconnect on a worker: the
    // peer does not learn it otherwise) and tell the program.
    virtual void queue_pair_failed() = 0;
    // The first message of the peer is here (IBV_EVENT_COMM_EST), though its word that it has completed may be lost.
    virtual void queue_pair_heard() {}
    // A message of this side stands: find out whether the peer's host answers, and call VerbsQueuePair::peer_answered()
    // if so.
    virtual void queue_pair_stands() {}
    // The program released the queue pair: end the connection, and tell the connector's program (ND2-QP-REL-02).
    virtual void queue_pair_closed() = 0;
};

// Whether initiator requests go to the hardware, or wait in OpenND for release_held(). A request that reaches the hardware
// of the passive side before ESTABLISHED is lost, and waits for the retry timer.
enum class Start : std::uint8_t { now, held };

class VerbsQueuePair : public TransportQueuePair {
public:
    // ---- For the connector. Any thread; the connector's lock may be held, except for begin_attempt, end_attempt,
    // release_held, end and flush, which complete requests.

    // The number of the ibv_qp there is now, for rdma_connect and rdma_accept. end_attempt() changes it.
    virtual std::uint32_t number() const = 0;

    // An attempt to connect begins: the receives posted so far go to the hardware, and so do later ones. `attempt` names it: the
    // address of the connector, which may end it on two threads at once. An older attempt that has not ended yet ends first.
    // False: the queue pair is not idle any more.
    [[nodiscard]] virtual bool begin_attempt(const void* attempt) = 0;
    // The attempt failed before attach(): idle again (ND2-CON-CONN-06). The ibv_qp, which iWARP has spent, is replaced, and its
    // receives wait here for the next attempt. If that fails, the queue pair goes to error. No effect after attach(), nor for an
    // attempt that is over.
    virtual void end_attempt(const void* attempt) = 0;

    // ibv_modify_qp. Explained; device_removed, invalid_state: the hardware refuses, which is the end of the attempt.
    virtual Status modify(ibv_qp_attr& attributes, int mask) = 0;

    // The options of the device for its peer's (ECE: enhanced connection establishment), as they are now; nothing: its library has
    // none.
    virtual std::optional<ibv_ece> device_options() const = 0;
    // Takes the options of the peer's device, before modify() leads on from INIT. A device that does not know them goes on without.
    virtual void take_peer_options(ibv_ece options) = 0;

    // A connection is up or about to be: initiator requests are accepted. `end` hears of the end of the queue pair, until the
    // queue pair is in error. False: it is not idle any more, because the program flushed or closed it.
    // `limits` are those in force on this side: with none outbound a Read is malformed. `messages`: the limit of messages that wait
    // for a receive; null: there is none (NDK-QP-SEND-04), or the device has its own.
    [[nodiscard]] virtual bool attach(Ref<ConnectionEnd> end, const ReadLimits& limits, Start start,
                                      const std::optional<MessageLimit>& messages) = 0;
    // The peer's host has answered, after queue_pair_stands().
    virtual void peer_answered() = 0;
    // Hands the held requests to the hardware: the passive side has seen ESTABLISHED.
    virtual void release_held() = 0;

    // The peer ended the connection: moves up arrivals. Outstanding requests stay so until end(). The caller tells core
    // next. Returns false if a request of this side had failed, so that it was no end in order.
    [[nodiscard]] virtual bool end_by_peer() = 0;
    // Returns true if no initiator request is outstanding or held; drains the hardware first.
    virtual bool finished_requests() = 0;

    // Returns the Reads that the device has settled with the peer, as ibv_query_qp says; those of `offer` where it says
    // nothing. For iWARP, once the peer has replied.
    virtual ReadLimits settled_reads(const ReadLimits& offer) = 0;

    virtual bool waits_for_receives() const = 0;
    virtual bool has_shared_receives() const = 0;
    virtual const Ref<Device>& device() const = 0;
};

}  // namespace opennd::verbs
