// SPDX-License-Identifier: MIT
// See connection_side.h.
#include "fuzz/connection/connection_side.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/log.h"
#include "fuzz/script.h"
#include "fuzz/world.h"
#include "platform/descriptor/log_destination.h"
#include "platform/memory/mappable_memory.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/soft/transport.h"

namespace opennd::fuzz {
namespace {

// A message without a receive ends the connection soon; queue pairs live no longer than their timers.
const soft::Settings kImpatient{.no_receive_time = std::chrono::milliseconds(20)};

constexpr std::size_t kGuard = 256;
constexpr std::size_t kAreaBytes = 8192;
constexpr std::array<Access, ConnectionSide::kAreas> kRights{
    Access::local_write, Access::remote_read, Access::local_write | Access::remote_read | Access::remote_write,
    Access::local_write | Access::read_sink};
constexpr QueuePairLimits kLimits{ConnectionSide::kMostReceives, 8, 2, 2, 64};
constexpr ReadLimits kReads{4, 4};

constexpr std::byte pattern(std::size_t at) { return static_cast<std::byte>(at * 7 + (at >> 8)); }

}  // namespace

ConnectionSide::ConnectionSide(Ref<soft::SoftAdapter> adapter, Ref<TransportConnector> connector, const SidePlan& plan,
                               int ended)
    : adapter_(std::move(adapter)),
      connector_(std::move(connector)),
      plan_(plan),
      ended_(ended),
      arena_(kAreas * (kAreaBytes + kGuard) + kGuard) {
    for (std::size_t i = 0; i < arena_.size(); ++i) arena_[i] = pattern(i);
    for (std::size_t i = 0; i < kAreas; ++i) {
        area_[i] = &arena_[kGuard + i * (kAreaBytes + kGuard)];
        memory_[i] = adapter_->register_memory(area_[i], kAreaBytes, kRights[i]).take();
    }
    completions_ = adapter_->create_completion_queue(64, NotifyRule::level, events_).take();
    const QueuePairParameters parameters{kLimits, completions_, completions_, this};
    queue_pair_ = Ref<soft::SoftQueuePair>(
        static_cast<soft::SoftQueuePair*>(adapter_->create_queue_pair(parameters).take().get()));
    binding_ = adapter_
                   ->bind_window(*queue_pair_, *memory_[vault], area_[vault] + kAreaBytes / 2, kAreaBytes / 2,
                                 Access::remote_read | Access::remote_write, {})
                   .take();
    for (std::size_t i = 0; i < std::min(plan_.receives, kMostReceives); ++i)
        post(Operation::receive, inbox, std::min(plan_.receive_bytes, kMostBytes));
}

ConnectionSide::~ConnectionSide() = default;

void ConnectionSide::accept(const ReadLimits& limits) {
    connector_->set_sink(Ref<ConnectorSink>(this));
    connector_->accept(Ref<TransportQueuePair>(queue_pair_),
                       {std::min(limits.inbound, kReads.inbound), std::min(limits.outbound, kReads.outbound)}, {});
}

void ConnectionSide::post(Operation operation, Area area, std::uint32_t bytes) {
    const Sge sge{area_[area], bytes, memory_[area]->local_token()};
    WorkRequest request;
    request.operation = operation;
    request.sges = {&sge, 1};
    request.remote_address = 0x1000;
    request.remote_token = Token{0x12345678};
    if (ok(queue_pair_->post(request))) ++posted_;
}

// A window in force, a Read that the peer answers, a Send behind it.
void ConnectionSide::on_established(const Carrier&) {
    up_.store(true);
    WorkRequest bind;
    bind.operation = Operation::bind;
    bind.extra = binding_.get();
    if (ok(queue_pair_->post(bind))) ++posted_;
    if (plan_.reads) {
        post(Operation::read, vault, 64);
        post(Operation::send, outbox, 100);
    }
    if (plan_.flushes) queue_pair_->flush();
}

void ConnectionSide::end() {
    over_.store(true, std::memory_order_release);
    const std::uint64_t one = 1;
    require(::write(ended_, &one, sizeof one) == sizeof one, "a bell rings");
}

void ConnectionSide::finish() {
    if (up_.load()) connector_->end(Ending::disconnect);
    connector_->end(Ending::give_up);
    queue_pair_->flush();
    std::array<Completion, 64> completions;
    std::size_t completed = 0;
    for (std::size_t moved; (moved = completions_->poll(completions)) != 0;) completed += moved;
    require(completed == posted_, "each posted request completes once");
    for (const Ref<TransportMemory>& memory : memory_) memory->deregister();
    binding_->end();
    check_memory();
    queue_pair_->close();
    completions_->close();
    connector_->set_sink(nullptr);
}

// The bytes that may have changed: the part of the inbox that receives were posted for, all memory open to Writes, and
// the Read's sink.
void ConnectionSide::check_memory() const {
    for (std::size_t i = 0; i < arena_.size(); ++i) {
        if (arena_[i] == pattern(i)) continue;
        const auto within = [&](Area area, std::size_t from, std::size_t bytes) {
            const std::byte* const begin = area_[area] + from;
            return &arena_[i] >= begin && &arena_[i] < begin + bytes;
        };
        const bool granted = within(shared, 0, kAreaBytes) || within(vault, kAreaBytes / 2, kAreaBytes / 2) ||
                             (plan_.receives > 0 && within(inbox, 0, std::min(plan_.receive_bytes, kMostBytes))) ||
                             (plan_.reads && within(vault, 0, 64));
        require(granted, "no octet outside of what was granted is written");
    }
}

class ConnectionHost::Sink final : public ListenerSink {
public:
    explicit Sink(ConnectionHost& host) : host_(host) {}
    void on_request(Ref<TransportConnector> connector, ConnectionRequest request) override {
        Ref<ConnectionSide> side;
        {
            const Held lock(host_.mutex_);
            side = make_ref<ConnectionSide>(host_.adapter_, std::move(connector), host_.plan_, host_.ended_);
            host_.side_ = side;
        }
        side->accept(request.limits);
    }

private:
    ConnectionHost& host_;
};

ConnectionHost& ConnectionHost::shared() {
    static ConnectionHost* const host = new ConnectionHost;
    return *host;
}

ConnectionHost::ConnectionHost() : ended_(::eventfd(0, EFD_NONBLOCK)) {
    if (std::getenv("OPENND_LOG"))
        set_log_defaults_source([] { return LogDefaults{LogLevel::debug, {}, {}, &make_log_destination}; });
    else
        set_log_sink([](void*, LogLevel, const char*) {}, nullptr, LogLevel::error);
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires), kImpatient);
    adapter_ =
        Ref<soft::SoftAdapter>(static_cast<soft::SoftAdapter*>(transport_->open(Interface{}, Face::nd2).take().get()));
    listener_ = adapter_->create_listener(Ref<ListenerSink>(make_ref<Sink>(*this))).take();
    port_ = listener_->bind(loopback_address()).take().port();
    require(ok(listener_->listen(0)), "a listener listens");
}

void ConnectionHost::begin(const SidePlan& plan) {
    const Held lock(mutex_);
    plan_ = plan;
    side_ = nullptr;
}

Ref<ConnectionSide> ConnectionHost::side() {
    const Held lock(mutex_);
    return side_;
}

void ConnectionHost::forget() {
    const Held lock(mutex_);
    side_ = nullptr;
}

}  // namespace opennd::fuzz
