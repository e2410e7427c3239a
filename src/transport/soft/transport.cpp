// SPDX-License-Identifier: MIT
// SoftTransport: see transport.h.
#include "transport/soft/transport.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/log.h"
#include "base/setting.h"
#include "transport/soft/adapter.h"

namespace opennd::soft {
namespace {

std::chrono::milliseconds configured_no_receive_time() {
    constexpr std::chrono::milliseconds kDefault{1000};
    const char* const text = setting("OPENND_NO_RECEIVE_MS");
    if (!text) return kDefault;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error == std::errc{} && *end == '\0' && value <= 3000) return std::chrono::milliseconds(value);
    log(LogLevel::error, "OPENND_NO_RECEIVE_MS is '{}': expected 0 to 3000 milliseconds; using {}", text,
        kDefault.count());
    return kDefault;
}

}  // namespace

SoftTransport::SoftTransport(EventLoop& loop, MappableMemory& memory, std::vector<std::unique_ptr<Wire>> wires)
    : loop_(loop), memory_(memory), wires_(std::move(wires)), no_receive_time_(configured_no_receive_time()) {
    for (const auto& wire : wires_) chosen_.push_back(wire.get());
}

Result<Ref<TransportAdapter>> SoftTransport::open(const Interface& on) {
    {
        const Held lock(mutex_);
        if (!service_) {
            auto service = Service::start(loop_);
            if (!service.ok()) return service.status();
            service_ = service.take();
        }
    }
    auto tokens = TokenTable::create();
    if (!tokens.ok()) return tokens.status();
    return Ref<TransportAdapter>(new SoftAdapter(*this, tokens.take(), ledger_of(on.index)));
}

Ref<TrafficLedger> SoftTransport::ledger_of(std::uint32_t index) {
    const Held lock(mutex_);
    Ref<TrafficLedger>& ledger = ledgers_[index];
    if (!ledger) ledger = make_ref<TrafficLedger>();
    return ledger;
}

// Without an open adapter there was no traffic.
std::optional<Traffic> SoftTransport::traffic(std::uint32_t index) const {
    Ref<TrafficLedger> ledger;
    {
        const Held lock(mutex_);
        const auto found = ledgers_.find(index);
        if (found == ledgers_.end()) return Traffic{};
        ledger = found->second;
    }
    return ledger->total();
}

TransportChoice SoftTransport::explain(const Address& remote) {
    std::string refusals;
    for (Wire* wire : chosen_wires()) {
        std::string reason;
        if (wire->would_take(remote, reason)) return {std::string(wire->name()), reason};
        refusals += format("{}{}: {}", refusals.empty() ? "" : "; ", wire->name(), reason);
    }
    return {"", refusals};
}

void SoftTransport::select(const std::vector<std::string>& names) {
    const Held lock(mutex_);
    chosen_.clear();
    for (const std::string& wanted : names)
        for (const auto& wire : wires_)
            if (wire->name() == wanted) chosen_.push_back(wire.get());
}

std::vector<Wire*> SoftTransport::chosen_wires() const {
    const Held lock(mutex_);
    return chosen_;
}

bool SoftTransport::claim_addresses(const Address& local, const Address& peer, bool unique) {
    const Held lock(mutex_);
    if (unique && connected_.contains({local, peer})) return false;
    connected_.emplace(local, peer);
    return true;
}

void SoftTransport::release_addresses(const Address& local, const Address& peer) {
    const Held lock(mutex_);
    if (const auto found = connected_.find({local, peer}); found != connected_.end()) connected_.erase(found);
}

}  // namespace opennd::soft
