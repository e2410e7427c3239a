// SPDX-License-Identifier: MIT
// See listener.h.
#include "core/connection/listener.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "core/adapter/adapter.h"
#include "core/connection/connector.h"
#include "core/state/refusal.h"

namespace opennd {
namespace {

constexpr std::array<MethodRule, kListenerMethods> kListenerRules{{
    {"Bind", "once", "use the address it has, or another listener", "ND2-LIS-BIND-01"},
    {"Listen", "after Bind, once", "call Bind first; Listen once", "ND2-LIS-LIST-01"},
    {"GetLocalAddress", "after Bind", "call Bind first", "ND2-LIS-ADDR-01"},
    {"GetConnectionRequest", "after Listen", "call Listen first", "ND2-LIS-REQ-02"},
}};

// check(), and the refusal in words.
Status checked(ListenerMethod method, ListenerState state) {
    const Status status = check(method, state);
    if (ok(status)) [[likely]]
        return status;
    return refuse("listener", kListenerRules[static_cast<std::size_t>(method)], phrase("called while {}", name(state)),
                  status);
}

// Closes the listener unless it was taken out, also where memory is missing.
struct Making {
    Ref<TransportListener> listener;
    ~Making() {
        if (listener) listener->close();
    }
};

Status begin_listening(TransportListener& listener, std::uint32_t backlog) {
    try {
        return listener.listen(backlog);
    } catch (const std::bad_alloc&) {
        return Status::no_memory;
    }
}

}  // namespace

Listener::Listener(Ref<Adapter> adapter) : adapter_(std::move(adapter)), place_(adapter_->inventory().listeners) {
    place_.enter(*this);
}

Listener::~Listener() = default;

Status Listener::bind(const Address& wanted) {
    const Result<Address> local = adapter_->resolve_local(wanted);
    if (!local.ok()) return local.status();
    const Held control(control_);
    {
        const Held lock(mutex_);
        if (const Status status = checked(ListenerMethod::bind, state_.state()); !ok(status)) return status;
    }
    Result<Ref<TransportListener>> transport = adapter_->transport().create_listener(Ref<ListenerSink>(this));
    if (!transport.ok()) return transport.status();
    Making made{transport.take()};
    const Result<Address> bound = made.listener->bind(local.value());
    if (!bound.ok()) return bound.status();
    const Held lock(mutex_);
    adapter_->activity().on_endpoint(*this, {bound.value(), adapter_->face(), false});
    transport_ = std::exchange(made.listener, nullptr);
    state_.must_advance(ListenerEvent::bind);
    local_ = bound.value();
    return Status::success;
}

Status Listener::listen(std::uint32_t backlog) {
    const Held control(control_);
    {
        const Held lock(mutex_);
        if (const Status status = checked(ListenerMethod::listen, state_.state()); !ok(status)) return status;
        // Before the transport knows: requests may come at once.
        state_.must_advance(ListenerEvent::listen);
        backlog_ = backlog;
    }
    const Status status = begin_listening(*transport_, backlog);
    const Held lock(mutex_);
    if (ok(status)) {
        adapter_->activity().on_endpoint(*this, {local_, adapter_->face(), true});
        return status;
    }
    state_.must_advance(ListenerEvent::refuse);
    return status;
}

Result<Address> Listener::local_address() const {
    const Held lock(mutex_);
    if (const Status status = checked(ListenerMethod::get_local_address, state_.state()); !ok(status)) return status;
    return local_;
}

std::optional<Listener::View> Listener::view() const {
    const Held lock(mutex_);
    if (state_ == ListenerState::idle || state_ == ListenerState::closed) return std::nullopt;
    View view{local_, state_ == ListenerState::listening, backlog_, guests_.size(), {}, waiters_.size()};
    if (!guests_.empty()) view.oldest = std::chrono::steady_clock::now() - guests_.front().since;
    return view;
}

Status Listener::get_connection_request(Ref<Connector> connector, std::unique_ptr<AsyncRequest> request) {
    {
        const Held lock(mutex_);
        if (const Status status = checked(ListenerMethod::get_connection_request, state_.state()); !ok(status))
            return status;
        waiters_.push_back({connector, std::move(request)});  // first: it may need memory
        Waiter& waiter = waiters_.back();
        if (const Status status = connector->start_waiting(Ref<Listener>(this)); !ok(status)) {
            request = std::move(waiter.request);  // destroyed without the lock
            waiters_.pop_back();
            return status;
        }
        waiter.request->begin();
    }
    serve();
    return Status::success;
}

void Listener::on_request(Ref<TransportConnector> connector, ConnectionRequest request) {
    {
        const Held lock(mutex_);
        // Their senders have gone, so they take no place (ND2-LIS-REQ-06).
        std::erase_if(guests_, [](const Guest& guest) { return guest.transport->abandoned(); });
        const bool full = waiters_.empty() && backlog_ != 0 && guests_.size() >= backlog_;
        if (state_ == ListenerState::listening && !full) {
            guests_.push_back({std::move(connector), std::move(request)});
        } else if (full) {
            (void)report(Status::connection_refused,
                         {.object = phrase("listener {}", local_.text()),
                          .operation = "a connection request",
                          .asked = phrase("a place for {}", request.peer.text()),
                          .limit = phrase("{} requests wait already", guests_.size()),
                          .remedy = "listen with a larger backlog, or call GetConnectionRequest "
                                    "more often",
                          .requirement = "ND2-LIS-LIST-02",
                          .cause = LogCause::caller});
        }
    }
    if (connector) return connector->end(Ending::give_up);  // ND2-LIS-LIST-02
    serve();
}

// The oldest of both sides, if there is one on each.
bool Listener::take_pair(Waiter& waiter, Guest& guest) {
    while (!guests_.empty() && guests_.front().transport->abandoned()) guests_.pop_front();
    if (waiters_.empty() || guests_.empty()) return false;
    waiter = std::move(waiters_.front());
    waiters_.pop_front();
    guest = std::move(guests_.front());
    guests_.pop_front();
    return true;
}

void Listener::serve() {
    for (;;) {
        Waiter waiter;
        Guest guest;
        CompletionBatch batch(in_flight_);
        {
            const Held lock(mutex_);
            if (!take_pair(waiter, guest)) return;
            in_flight_.enter();  // the waiter is in no list and not in the batch yet
        }
        const bool assigned = until_memory([&] { return waiter.connector->assign(guest.transport, guest.request); });
        batch.add(std::move(waiter.request), assigned ? Status::success : Status::canceled);
        in_flight_.leave();
        // The connector was released meanwhile: the next one gets the request.
        if (!assigned) return_guest(std::move(guest));
    }
}

void Listener::return_guest(Guest guest) {
    {
        const Held lock(mutex_);
        if (state_ == ListenerState::listening) {
            // clang does not see the caller's lock in here.
            until_memory([&]() NO_THREAD_SAFETY_ANALYSIS { guests_.push_front(std::move(guest)); });
            return;
        }
    }
    guest.transport->end(Ending::give_up);
}

void Listener::withdraw(const Connector& connector) {
    CompletionBatch batch(in_flight_);
    Waiter withdrawn;  // destroyed without the lock
    const Held lock(mutex_);
    const auto found = std::find_if(waiters_.begin(), waiters_.end(),
                                    [&](const Waiter& waiter) { return waiter.connector.get() == &connector; });
    if (found == waiters_.end()) return;  // serve() has it and finds out
    withdrawn = std::move(*found);
    waiters_.erase(found);
    batch.add(std::move(withdrawn.request), Status::canceled);
}

void Listener::cancel() {
    {
        CompletionBatch batch(in_flight_);
        while (const Ref<Connector> connector = take_back_waiter(batch)) connector->stop_waiting();
    }
    in_flight_.wait_until_idle();
}

// The oldest waiter; null: none waits any more.
Ref<Connector> Listener::take_back_waiter(CompletionBatch& batch) {
    const Held lock(mutex_);
    if (waiters_.empty()) return nullptr;
    Waiter oldest = std::move(waiters_.front());
    waiters_.pop_front();
    batch.add(std::move(oldest.request), Status::canceled);
    return oldest.connector;
}

void Listener::close() {
    cancel();
    adapter_->activity().on_endpoint_gone(*this);
    {
        const Held control(control_);
        {
            const Held lock(mutex_);
            state_.must_advance(ListenerEvent::close);
        }
        const Ref<TransportListener> transport = std::exchange(transport_, nullptr);
        if (transport) transport->close();
    }
    while (const Ref<TransportConnector> guest = take_guest()) guest->end(Ending::give_up);
}

// The oldest guest; null: none is left.
Ref<TransportConnector> Listener::take_guest() {
    const Held lock(mutex_);
    if (guests_.empty()) return nullptr;
    const Guest oldest = std::move(guests_.front());
    guests_.pop_front();
    return oldest.transport;
}

}  // namespace opennd
