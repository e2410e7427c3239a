// SPDX-License-Identifier: MIT
//
// See connection.h.
#include "conformance/vocabulary/ndk/connection.h"

#include "conformance/vocabulary/ndk/objects.h"

namespace opennd::conformance::ndk {
namespace {

constexpr ULONG kPeersNotice = 1;  // NDK-CON-EVT-04
constexpr ULONG kReasonBits = 0xFFFFFF;

PVOID start_of(const PrivateData& data) { return data.empty() ? nullptr : const_cast<std::byte*>(data.data()); }
ULONG size_of(const PrivateData& data) { return static_cast<ULONG>(data.size()); }
PSOCKADDR pointer_to(const SocketAddress& address) { return support::as_sockaddr(const_cast<SocketAddress&>(address)); }
ULONG length_of(const SocketAddress& address) { return static_cast<ULONG>(address.length()); }

void close(NDK_CONNECTOR* connector) { (void)begin_close(connector, nullptr); }

}  // namespace

// ---- the callbacks' shared state ------------------------------------------------------------------------------------

void NdkConnector::State::take(NDK_CONNECTOR* object) {
    const std::lock_guard lock(mutex_);
    object_ = object;
}

NDK_CONNECTOR* NdkConnector::State::object() const {
    const std::lock_guard lock(mutex_);
    return object_;
}

SharedRequest NdkConnector::State::await_end() {
    const std::lock_guard lock(mutex_);
    auto request = std::make_shared<NdkRequest>();
    if (ended_)
        request->finish(Outcome::success);
    else
        awaiting_end_.push_back(request);
    return request;
}

Operation NdkConnector::State::begin_disconnect() {
    if (disconnecting_) return Operation(Outcome::pending, disconnecting_);
    auto request = std::make_shared<NdkRequest>();
    Operation operation = begin(
        request, [this](auto done, PVOID context) { return object_->Dispatch->NdkDisconnect(object_, done, context); });
    if (operation.begun() == Outcome::pending) disconnecting_ = std::move(request);
    return operation;
}

Operation NdkConnector::State::disconnect() {
    const std::lock_guard lock(mutex_);
    return object_ ? begin_disconnect() : Operation(Outcome::connection_invalid);
}

NDK_CONNECTOR* NdkConnector::State::let_go() {
    const std::lock_guard lock(mutex_);
    let_go_ = true;
    for (const SharedRequest& request : std::exchange(awaiting_end_, {})) request->finish(Outcome::canceled);
    return std::exchange(object_, nullptr);
}

VOID NdkConnector::State::on_end(PVOID self, ULONG reason) {
    auto& state = *static_cast<State*>(self);
    const std::lock_guard lock(state.mutex_);
    EXPECT_FALSE(std::exchange(state.ended_, true)) << "a second event (NDK-CON-EVT-01)";
    if ((reason & kReasonBits) == kPeersNotice && !state.let_go_) (void)state.begin_disconnect();
    for (const SharedRequest& request : std::exchange(state.awaiting_end_, {})) request->finish(Outcome::success);
}

// ---- connectors -----------------------------------------------------------------------------------------------------

NDK_CONNECTOR* NdkConnector::object() {
    if (state_->object() == nullptr)
        state_->take(made<NDK_CONNECTOR>("NdkCreateConnector", [this](NDK_CONNECTOR** out) {
            return (*instance_)->Dispatch->NdkCreateConnector(instance_->get(), nullptr, nullptr, out);
        }));
    return state_->object();
}

Outcome NdkConnector::bind(const SocketAddress& local) {
    local_ = local;
    return Outcome::success;
}

Operation NdkConnector::connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                                const PrivateData& data) {
    NDK_QP* const pair = dynamic_cast<NdkQueuePair&>(queue_pair).get();
    return begin([&](auto done, PVOID context) {
        return object()->Dispatch->NdkConnect(object(), pair, pointer_to(local_), length_of(local_), pointer_to(peer),
                                              length_of(peer), limits.inbound, limits.outbound, start_of(data),
                                              size_of(data), done, context);
    });
}

Operation NdkConnector::complete_connect() {
    return begin([&](auto done, PVOID context) {
        return object()->Dispatch->NdkCompleteConnectEx(object(), &State::on_end, state_.get(), done, context);
    });
}

Operation NdkConnector::accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) {
    NDK_QP* const pair = dynamic_cast<NdkQueuePair&>(queue_pair).get();
    return begin([&](auto done, PVOID context) {
        return object()->Dispatch->NdkAcceptEx(object(), pair, limits.inbound, limits.outbound, start_of(data),
                                               size_of(data), &State::on_end, state_.get(), done, context);
    });
}

Outcome NdkConnector::reject(const PrivateData& data) {
    return outcome_of(object()->Dispatch->NdkReject(object(), start_of(data), size_of(data)));
}

Outcome NdkConnector::read_limits(ReadLimits& limits) {
    ULONG bytes = 0;
    return outcome_of(
        object()->Dispatch->NdkGetConnectionData(object(), &limits.inbound, &limits.outbound, nullptr, &bytes));
}

Outcome NdkConnector::private_data(PrivateData& data) {
    ULONG bytes = 0;
    const Outcome asked =
        outcome_of(object()->Dispatch->NdkGetConnectionData(object(), nullptr, nullptr, nullptr, &bytes));
    data.assign(asked == Outcome::success ? bytes : 0, std::byte{0});
    if (data.empty()) return asked;
    return outcome_of(object()->Dispatch->NdkGetConnectionData(object(), nullptr, nullptr, data.data(), &bytes));
}

Outcome NdkConnector::local_address(SocketAddress& address) {
    ULONG bytes = sizeof address;
    return outcome_of(object()->Dispatch->NdkGetLocalAddress(object(), pointer_to(address), &bytes));
}

Outcome NdkConnector::peer_address(SocketAddress& address) {
    ULONG bytes = sizeof address;
    return outcome_of(object()->Dispatch->NdkGetPeerAddress(object(), pointer_to(address), &bytes));
}

Operation NdkConnector::notify_disconnect() { return Operation(Outcome::pending, state_->await_end()); }

// Nothing relies on a connector, so that its close is waited for.
void NdkConnector::cancel() {
    NDK_CONNECTOR* const open = state_->let_go();
    if (open == nullptr) return;
    EXPECT_EQ(begin_close(open, state_)->wait(kDeadline), Outcome::success) << "the connector's close must complete";
}

// ---- listeners ------------------------------------------------------------------------------------------------------

VOID NdkListener::State::on_connect(PVOID self, NDK_CONNECTOR* connector) {
    auto& state = *static_cast<State*>(self);
    {
        const std::lock_guard lock(state.mutex);
        if (!state.closed) {
            state.come.push_back(connector);
            return state.match();
        }
    }
    close(connector);
}

void NdkListener::State::match() {
    while (!come.empty() && !waiting.empty()) {
        const Waiter first = std::move(waiting.front());
        waiting.pop_front();
        const auto connector = first.connector.lock();
        if (!connector) continue;
        connector->take(come.front());
        come.pop_front();
        first.request->finish(Outcome::success);
    }
}

void NdkListener::State::give_up() {
    const std::lock_guard lock(mutex);
    for (const Waiter& waiter : std::exchange(waiting, {})) waiter.request->finish(Outcome::canceled);
}

std::deque<NDK_CONNECTOR*> NdkListener::State::let_go() {
    const std::lock_guard lock(mutex);
    closed = true;
    return std::exchange(come, {});
}

NdkListener::NdkListener(SharedInstance instance)
    : handle_(instance,
              made<NDK_LISTENER>("NdkCreateListener",
                                 [&](NDK_LISTENER** out) {
                                     NDK_ADAPTER* const adapter = instance->get();
                                     return adapter->Dispatch->NdkCreateListener(adapter, &State::on_connect,
                                                                                 state_.get(), nullptr, nullptr, out);
                                 }),
              state_) {}

NdkListener::~NdkListener() {
    state_->give_up();
    handle_.call().NdkControlConnectEvents(handle_.get(), TRUE);
    for (NDK_CONNECTOR* const connector : state_->let_go()) close(connector);
}

Outcome NdkListener::bind(const SocketAddress& local) {
    handle_.call().NdkControlConnectEvents(handle_.get(), TRUE);
    return begin([&](auto done, PVOID context) {
               return handle_.call().NdkListen(handle_.get(), pointer_to(local), length_of(local), done, context);
           })
        .wait();
}

Outcome NdkListener::listen(std::uint32_t) {
    handle_.call().NdkControlConnectEvents(handle_.get(), FALSE);
    return Outcome::success;
}

Outcome NdkListener::local_address(SocketAddress& address) {
    ULONG bytes = sizeof address;
    return outcome_of(handle_.call().NdkGetLocalAddress(handle_.get(), pointer_to(address), &bytes));
}

Operation NdkListener::get_request(Connector& connector) {
    auto request = std::make_shared<NdkRequest>();
    const std::lock_guard lock(state_->mutex);
    state_->waiting.push_back({dynamic_cast<NdkConnector&>(connector).state(), request});
    state_->match();
    return Operation(Outcome::pending, std::move(request));
}

}  // namespace opennd::conformance::ndk
