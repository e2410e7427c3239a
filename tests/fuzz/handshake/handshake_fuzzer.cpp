// SPDX-License-Identifier: MIT
// A script in which a hostile peer speaks on the local socket of a connection, with any descriptors, to an honest
// connector of either side. Checked: each attempt ends in one definite way, everything posted is flushed, and the
// peer's fault is reported.
#include <array>
#include <optional>

#include "fuzz/handshake/handshake_steps.h"
#include "fuzz/handshake/hostile_caller.h"
#include "fuzz/script.h"
#include "fuzz/world.h"
#include "transport/local/connector.h"

namespace opennd::fuzz {
namespace {

constexpr int kMostSteps = 32;
constexpr std::uint32_t kReceives = 2;

// How an attempt ended. Told on the service thread, read after settle().
struct Outcome final : ConnectorSink {
    int replied = 0, established = 0, failed = 0, disconnected = 0;
    void on_replied(const ReadLimits& limits, std::span<const std::byte>) override {
        require(limits.inbound <= 4 && limits.outbound <= 4, "limits stay within what was offered");
        ++replied;
    }
    void on_connect_failed(Status, std::span<const std::byte>) override { ++failed; }
    void on_established(const Carrier&) override { ++established; }
    void on_establish_failed(Status) override { ++failed; }
    void on_disconnected(EndCause) override { ++disconnected; }
    bool on_peer_finished() override { return false; }
    void on_finished(Status) override {}
};

struct Request final : ListenerSink {
    Ref<TransportConnector> connector;
    void on_request(Ref<TransportConnector> from, ConnectionRequest) override { connector = std::move(from); }
};

struct Events final : CompletionQueueSink {
    void on_completion_event(NotifyKind) override {}
    void on_overrun() override {}
};

class HonestConnector {
public:
    HonestConnector(local::Side side, bool may_use_process_vm, LocalSocket socket);
    ~HonestConnector();
    HonestConnector(const HonestConnector&) = delete;
    HonestConnector& operator=(const HonestConnector&) = delete;

    void step(HandshakeStep step);
    // The peer has just done something; `farewell`: it may have ended the connection by the rules.
    void check(bool farewell);

private:
    void settle();

    const Ref<soft::SoftAdapter> adapter_ = shared_adapter();
    const local::WireTraits traits_;
    const std::uint64_t failures_before_ = failures_reported();
    Events events_;
    Ref<TransportCompletionQueue> completions_ =
        adapter_->create_completion_queue(8, NotifyRule::level, events_).take();
    Ref<TransportQueuePair> queue_pair_;
    Ref<Outcome> outcome_ = make_ref<Outcome>();
    Ref<Request> request_ = make_ref<Request>();
    Ref<TransportConnector> connector_;  // passive: once the program has the request
    bool ended_by_itself_ = false;
};

HonestConnector::HonestConnector(local::Side side, bool may_use_process_vm, LocalSocket socket)
    : traits_{"shm", "fuzz", false, may_use_process_vm} {
    queue_pair_ =
        adapter_->create_queue_pair({{kReceives, 2, 1, 1, 0}, completions_, completions_, nullptr, nullptr}).take();
    for (std::uint32_t i = 0; i < kReceives; ++i) {
        WorkRequest receive;
        receive.operation = Operation::receive;
        require(ok(queue_pair_->post(receive)), "a receive can be posted before there is a connection");
    }
    if (side == local::Side::passive) {
        local::LocalConnector::passive(adapter_, std::move(socket), traits_, Ref<ListenerSink>(request_));
    } else {
        const auto active = local::LocalConnector::active(adapter_, std::move(socket), traits_);
        active->set_sink(Ref<ConnectorSink>(outcome_));
        active->connect(loopback_address().with_port(1), PortOrigin::program, loopback_address().with_port(2), {4, 4},
                        {}, queue_pair_);
        connector_ = active;
    }
}

HonestConnector::~HonestConnector() {
    settle();
    check(true);                                                         // the peer has hung up
    if (outcome_->disconnected > 0) queue_pair_->end(Status::canceled);  // as core does
    require(queue_pair_->state() != QueuePairState::attached, "a connection ends with its peer");
    std::array<Completion, 8> completions;
    const std::size_t flushed = completions_->poll(completions);
    require(flushed == (queue_pair_->state() == QueuePairState::error ? kReceives : 0), "what was posted is flushed");
    if (request_->connector) request_->connector->end(Ending::give_up);
    if (connector_) connector_->end(Ending::give_up);
    queue_pair_->close();
    completions_->close();
    settle();
    request_->connector = nullptr;
}

// Two turns: earlier messages are heard in the second turn at the latest.
void HonestConnector::settle() {
    for (int i = 0; i < 2; ++i) {
        std::atomic<bool> turned{false};
        adapter_->event_loop().post([&] {
            turned.store(true);
            turned.notify_one();
        });
        turned.wait(false);
    }
}

void HonestConnector::step(HandshakeStep step) {
    if (!connector_) settle();  // the request may be on its way
    if (!connector_ && request_->connector) {
        connector_ = request_->connector;
        connector_->set_sink(Ref<ConnectorSink>(outcome_));
    }
    if (!connector_) return;
    const bool passive = static_cast<bool>(request_->connector);
    switch (step) {
        case HandshakeStep::accept:
            if (passive) connector_->accept(queue_pair_, {4, 4}, {});
            break;
        case HandshakeStep::reject:
            ended_by_itself_ = true;
            connector_->reject({});
            break;
        case HandshakeStep::complete:
            if (!passive) connector_->complete();
            break;
        case HandshakeStep::disconnect:
            ended_by_itself_ = true;
            connector_->end(Ending::disconnect);
            break;
        default: break;
    }
    settle();
}

void HonestConnector::check(bool farewell) {
    settle();
    require(outcome_->established + outcome_->failed <= 1, "an attempt succeeds or fails, once");
    require(outcome_->disconnected <= outcome_->established, "only what was established is disconnected, once");
    const bool ended = outcome_->failed + outcome_->disconnected > 0;
    if (ended && !farewell && !ended_by_itself_)
        require(failures_reported() > failures_before_, "a connection that fails says why");
    settle();  // orders these looks before the service thread's writes for the peer's next step
}

}  // namespace
}  // namespace opennd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace opennd;
    using namespace opennd::fuzz;
    Script script({data, size});
    const auto side = static_cast<local::Side>(script.below(2));
    const bool may_use_process_vm = script.below(2) == 0;
    auto ends = LocalSocket::pair().take();
    std::optional<HostileCaller> hostile(std::in_place, std::move(ends.second));
    HonestConnector honest(side, may_use_process_vm, std::move(ends.first));
    bool farewell = false;
    for (int i = 0; i < kMostSteps && !script.over(); ++i) {
        const auto step = static_cast<HandshakeStep>(script.below(kHandshakeSteps));
        if (step == HandshakeStep::hang_up) hostile.reset();
        if (step == HandshakeStep::hang_up) farewell = true;
        if (hostile && step == HandshakeStep::message) farewell |= hostile->say(script);
        if (hostile && step == HandshakeStep::raw_bytes) hostile->babble(script);
        honest.step(step);
        honest.check(farewell);
    }
    hostile.reset();
    return 0;
}
