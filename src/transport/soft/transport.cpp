// SPDX-License-Identifier: MIT
// SoftTransport: see transport.h.
#include "transport/soft/transport.h"

#include "base/explanation.h"
#include "base/format.h"
#include "platform/memory/copy_choice.h"
#include "platform/thread/look_choice.h"
#include "transport/soft/abilities.h"
#include "transport/soft/adapter.h"

namespace opennd::soft {

SoftTransport::SoftTransport(EventLoop& loop, MappableMemory& memory, std::vector<std::unique_ptr<Wire>> wires,
                             const Settings& settings, ChannelLayer& layer)
    : loop_(loop),
      memory_(memory),
      wires_(std::move(wires)),
      settings_(settings),
      layer_(layer),
      abilities_(settings.profile ? lowered(own_abilities(), settings.profile->most) : own_abilities()),
      profile_(settings.profile ? std::optional(AppliedProfile{settings.profile->label, own_abilities()})
                                : std::nullopt),
      services_(loop, settings.loops, settings.most_patience) {
    for (const auto& wire : wires_) chosen_.push_back(wire.get());
    if (settings.copies) pin_copies(*settings.copies);
    if (settings.looks) pin_looks(*settings.looks);
}

Result<Ref<TransportAdapter>> SoftTransport::open(const Interface& on, Face face) {
    Result<Ref<SoftAdapter>> opened = open_over(on, face, nullptr);
    if (!opened.ok()) return opened.status();
    return Ref<TransportAdapter>(opened.take());
}

Result<Ref<SoftAdapter>> SoftTransport::open(const Interface& on, Face face, std::string_view wire) {
    Wire* const alone = wire_of(wire);
    if (!alone) return Status::not_supported;
    return open_over(on, face, alone);
}

Result<Ref<SoftAdapter>> SoftTransport::open_over(const Interface& on, Face face, Wire* wire) {
    if (!settings_.profile_fault.empty())
        return opennd::explain(Status::not_supported, {.object = phrase("adapter {}", on.name),
                                                       .operation = "OpenAdapter",
                                                       .asked = "an adapter with the abilities of a profile",
                                                       .limit = settings_.profile_fault,
                                                       .remedy = "correct OPENND_PROFILE, or leave it unset",
                                                       .requirement = "ND2-PRV-OPEN-01"});
    if (const Status status = services_.start(); !ok(status)) return status;
    auto tokens = TokenTable::create();
    if (!tokens.ok()) return tokens.status();
    return make_ref<SoftAdapter>(*this, tokens.take(), ledger_of(on.index, face), on.index, wire);
}

Wire* SoftTransport::wire_of(std::string_view name) const {
    for (const auto& wire : wires_)
        if (wire->name() == name) return wire.get();
    return nullptr;
}

bool SoftTransport::reaches(std::string_view wire, const Address& remote, std::string& reason) const {
    const Wire* const found = wire_of(wire);
    return found && found->reaches(remote, reason);
}

Ref<TrafficLedger> SoftTransport::ledger_of(std::uint32_t index, Face face) {
    const Held lock(mutex_);
    Ref<TrafficLedger>& ledger = ledgers_[{index, face}];
    if (!ledger) ledger = make_ref<TrafficLedger>();
    return ledger;
}

// An interface on which no adapter was opened has no traffic.
std::optional<std::vector<WireTraffic>> SoftTransport::traffic(std::uint32_t index) const {
    std::vector<WireTraffic> all;
    for (const Face face : kFaces) {
        Ref<TrafficLedger> ledger;
        {
            const Held lock(mutex_);
            const auto found = ledgers_.find({index, face});
            if (found == ledgers_.end()) continue;
            ledger = found->second;
        }
        for (const auto& [wire, traffic] : ledger->read()) all.push_back({wire, traffic, face});
    }
    return all;
}

TransportChoice SoftTransport::explain(const Address&, const Address& remote) {
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
