// SPDX-License-Identifier: MIT
// Events of core and timers for a connector, and the callbacks that follow. See connector.h.
#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/connection/connector.h"
#include "ndk/object/adapter.h"

namespace opennd {
namespace {

// The peer gave up while this side answered, for any reason.
NTSTATUS establish_status(Status status, NTSTATUS cancelled) {
    if (status == Status::canceled) return cancelled;
    if (status == Status::connection_refused || status == Status::disconnected) return STATUS_CONNECTION_ABORTED;
    return to_ntstatus(status);
}

// A peer that broke off has refused, and both objects may connect again (NDK-CON-CONN-05).
NTSTATUS connect_status(Status status, NTSTATUS cancelled) {
    if (status == Status::canceled) return cancelled;
    return to_ntstatus(status == Status::connection_aborted ? Status::connection_refused : status);
}

ProviderWire wire_of(const Connector& core) {
    const Result<ConnectionPath> path = core.path();
    if (!path.ok()) return ProviderWire::none;
    return path.value().transport == "iwarp" ? ProviderWire::iwarp : ProviderWire::shared_memory;
}

}  // namespace

// ---- a request of a peer --------------------------------------------------------------------------------------------

NdkConnector::NdkConnector(NdkListener& listener, Ref<Connector> core) noexcept
    : NDK_CONNECTOR{listener.adapter().header(kType), &dispatch().connector},
      QueuePairUser(listener.adapter(), "connector"),
      listener_(listener),
      unanswered_(true),
      stage_("NDK connector", Stage::incoming),
      core_(std::move(core)),
      local_(core_->local_address().value()),
      peer_(core_->peer_address().value()),
      named_(true) {}

void NdkConnector::schedule_connect_event() {
    retain();
    callbacks().schedule(connect_event_);
}

void NdkConnector::tell_request() {
    if (!listener_->indicate(*this)) (void)close(nullptr, nullptr);  // the consumer never saw it
    release();
}

// ---- setting up -----------------------------------------------------------------------------------------------------

void NdkConnector::wait_patiently() {
    if (std::exchange(waits_, true)) return;
    retain();
    callbacks().set(patience_, now() + adapter().settings().set_up);
}

void NdkConnector::stop_waiting() {
    {
        const Held lock(mutex_);
        if (!waits_ || !callbacks().cancel(patience_)) return;  // on_expiry() runs now, and reads the stage
        waits_ = false;
    }
    release();
}

void NdkConnector::on_expiry() {
    Ref<Connector> core;
    bool replied = false;
    {
        const Held lock(mutex_);
        waits_ = false;
        const bool pends = stage_ == Stage::connecting || stage_ == Stage::completing || stage_ == Stage::accepting;
        if (pends) cancels_as_ = STATUS_IO_TIMEOUT;
        replied = stage_ == Stage::replied;
        if (replied) stage_.must_advance(StageEvent::expire);
        if (pends || replied) core = core_;
    }
    if (replied)
        (void)core->reject({});  // nothing pends that could be given up; the peer's NdkAccept learns of it
    else if (core)
        core->cancel();
    release();
}

// Releases the attempt's objects; the queue pair may be used for another attempt.
void NdkConnector::fail(StageEvent event) {
    Use<NdkQueuePair> queue_pair;
    Origin origin;
    const Held lock(mutex_);
    stage_.must_advance(event);
    if (stage_ == Stage::over) return;  // until it is closed
    queue_pair = std::exchange(queue_pair_, {});
    origin = std::exchange(origin_, {});
}

// A port of its own is free when the close completes.
void NdkConnector::end() {
    Ref<LocalEndpoint> own;
    const Held lock(mutex_);
    own = std::exchange(origin_.own, nullptr);
}

void NdkConnector::on_connected(Status status) {
    stop_waiting();
    NTSTATUS cancelled = STATUS_CANCELLED;
    {
        const Held lock(mutex_);
        cancelled = cancels_as_;
        refused_ = status == Status::connection_refused;
        if (ok(status)) {
            stage_.must_advance(StageEvent::reply);
            wait_patiently();
        }
    }
    if (!ok(status)) fail(StageEvent::fail);
    establishing_.finish(connect_status(status, cancelled));
}

// The callback before the event of an end that follows at once (NDK-CON-EVT-02).
void NdkConnector::on_established(Status status) {
    stop_waiting();
    NTSTATUS cancelled = STATUS_CANCELLED;
    std::unique_ptr<AsyncRequest> end_request;
    Ref<Connector> core;
    {
        const Held lock(mutex_);
        core = core_;
        cancelled = cancels_as_;
        stage_.must_advance(ok(status) ? StageEvent::establish : StageEvent::fail);
        end_request = std::move(end_request_);
    }
    if (ok(status)) {
        const Result<ReadLimits> limits = core->read_limits();
        const Held lock(mutex_);
        if (stage_ == Stage::connected && !let_go_ && !removed_)
            queue_pair_->begin_use(*this, limits.ok() && limits.value().outbound != 0);
    }
    establishing_.finish(establish_status(status, cancelled));
    if (ok(status)) (void)core->notify_disconnect(std::move(end_request));
}

// ---- the end --------------------------------------------------------------------------------------------------------

void NdkConnector::on_disconnected(Status status) {
    const Held lock(mutex_);
    if (stage_ != Stage::connected || let_go_) return;  // this side ends it (NDK-CON-EVT-01)
    if (status == Status::canceled) return stage_.must_advance(StageEvent::end);
    if (ok(status)) {
        reason_ = DisconnectReason::notice;
        stage_.must_advance(StageEvent::notice);  // the queue pair works on (NDK-QP-STATE-03)
    } else {
        reason_ = status == Status::disconnected ? DisconnectReason::closed : DisconnectReason::lost;
        if (removed_) reason_ = DisconnectReason::removed;
        stage_.must_advance(StageEvent::end);
        queue_pair_->end_use();
    }
    if (!event_) return;
    retain();
    callbacks().schedule(end_event_);
}

void NdkConnector::end_with_queue_pair() {
    Ref<Connector> core;
    {
        const Held lock(mutex_);
        if (stage_ != Stage::connected && stage_ != Stage::noticed) return;
        stage_.must_advance(StageEvent::end);
        core = core_;
    }
    (void)at_kernel_face({"queue pair", "NdkFlush"},
                         [&]() -> NTSTATUS { return to_ntstatus(core->disconnect(std::make_unique<DoneRequest>())); });
}

// The device was removed (NDK-GEN-15). Pending requests fail, an unanswered peer is refused, and a connection is
// aborted: first the queue pair's requests, then the event. A pending NdkDisconnect has its own timeout and goes on.
// Runs twice if pend() calls it too.
void NdkConnector::end_with_device() {
    Ref<Connector> connecting;
    {
        const Held lock(mutex_);
        if (let_go_) return;
        cancels_as_ = STATUS_DEVICE_REMOVED;
        if (stage_ == Stage::connecting) connecting = core_;
    }
    if (connecting) connecting->cancel();  // if the peer replied before, the stage says so when this returns
    Ref<Connector> core;
    bool unanswered = false;
    bool connected = false;
    {
        const Held lock(mutex_);
        unanswered = stage_ == Stage::incoming || stage_ == Stage::replied;
        connected = stage_ == Stage::connected || stage_ == Stage::noticed;
        const bool establishes = stage_ == Stage::completing || stage_ == Stage::accepting;
        if (let_go_ || !(unanswered || establishes || (connected && !removed_))) return;
        removed_ = true;
        core = core_;
        if (unanswered || stage_ == Stage::noticed)
            stage_.must_advance(StageEvent::end);  // otherwise core reports the end
        if (!unanswered) queue_pair_->end_use();
    }
    (void)at_kernel_face({"connector", "the end of its device"}, [&]() -> NTSTATUS {
        if (unanswered) {
            answered();
            return core->done_if_peer_gave_up() ? STATUS_SUCCESS : to_ntstatus(core->reject({}));
        }
        if (connected) {
            const ProviderWire wire = wire_of(*core);  // not known any more when it has ended
            const Held lock(mutex_);
            wire_ = wire;
        }
        return to_ntstatus(core->disconnect(std::make_unique<DoneRequest>()));
    });
}

void NdkConnector::tell_end() {
    DisconnectEvent event;
    DisconnectReason reason = DisconnectReason::none;
    Ref<Connector> core;
    ProviderWire wire = ProviderWire::none;
    bool removed = false;
    {
        const Held lock(mutex_);
        if (!let_go_) event = event_;
        reason = reason_;
        core = core_;
        wire = wire_;
        removed = removed_;
    }
    if (event) event.call(provider_code(removed ? wire : wire_of(*core), static_cast<ULONG>(reason)));
    release();
}

void NdkConnector::on_finished(Status status) {
    {
        const Held lock(mutex_);
        stage_.must_advance(StageEvent::end);
    }
    disconnecting_.finish(to_ntstatus(status));
}

}  // namespace opennd
