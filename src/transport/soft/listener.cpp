// SPDX-License-Identifier: MIT
// SoftListener: see listener.h.
#include "transport/soft/listener.h"

#include <utility>

#include "base/explanation.h"
#include "base/log.h"
#include "platform/host/random.h"

namespace opennd::soft {
namespace {

// The range that ND2-CON-PORT-02 names.
constexpr std::uint16_t kFirstFreePort = 49152;
constexpr std::uint32_t kFreePorts = 65536 - kFirstFreePort;

// Explains `status` if the system refuses the address. The caller explains address_in_use.
[[gnu::cold]] Status refusal(Status status, const Address& address) {
    if (status != Status::invalid_address) return status;
    return explain(status, {.object = phrase("listener {}", address.text()),
                            .operation = "Bind",
                            .asked = phrase("{}, which the system does not give now", address.text(false)),
                            .limit = "addresses of interfaces that are up, and of IPv6 those that are not tentative",
                            .remedy = "look at `ip address`, and bind when it is there",
                            .requirement = "ND2-LIS-BIND-01"});
}

// Listeners that are closed unless bind_all() keeps them, also when there is no memory for the next.
struct Binding {
    std::vector<Ref<TransportListener>> listeners;
    ~Binding() {
        for (const auto& listener : listeners) listener->close();
    }
};

}  // namespace

Result<Address> SoftListener::bind(const Address& address) {
    if (address.port() != 0) {
        const Status status = bind_all(address);
        if (status == Status::address_in_use)
            return explain(status, {.object = phrase("listener {}", address.text()),
                                    .operation = "Bind",
                                    .asked = phrase("address and port {}", address.text()),
                                    .limit = "one listener for each; another has it",
                                    .remedy = "choose another port, or port 0, or end the other listener",
                                    .requirement = "ND2-LIS-BIND-01"});
        if (!ok(status)) return refusal(status, address);
        return address;
    }
    const auto start = static_cast<std::uint32_t>(random_u64() % kFreePorts);
    for (std::uint32_t i = 0; i < kFreePorts; ++i) {
        const Address candidate =
            address.with_port(static_cast<std::uint16_t>(kFirstFreePort + (start + i) % kFreePorts));
        const Status status = bind_all(candidate);
        if (ok(status)) return candidate;
        if (status != Status::address_in_use) return refusal(status, address);
    }
    return explain(Status::no_free_port, {.object = phrase("listener {}", address.text(false)),
                                          .operation = "Bind",
                                          .asked = "a free port",
                                          .limit = phrase("{} to 65535, all taken", kFirstFreePort),
                                          .remedy = "release listeners, or name a port below that range",
                                          .requirement = "ND2-CON-PORT-02"});
}

Status SoftListener::bind_all(const Address& address) {
    Binding bound;
    Status status = Status::not_supported;
    for (const Way& way : ways_) {
        auto listener = way.make();
        status = listener.status();
        if (!ok(status)) break;
        bound.listeners.push_back(listener.take());
        status = bound.listeners.back()->bind(address).status();
        if (status == Status::connection_refused) {
            log(LogLevel::error,
                "listener {}: a process of another user is in the way of {}; only other transports reach it",
                address.text(), way.name);
            bound.listeners.back()->close();
            bound.listeners.pop_back();
            status = bound.listeners.empty() ? Status::address_in_use : Status::success;
            continue;
        }
        if (!ok(status)) break;
    }
    if (ok(status)) listeners_ = std::exchange(bound.listeners, {});
    return status;
}

Status SoftListener::listen(std::uint32_t backlog) {
    for (const auto& listener : listeners_) {
        const Status status = listener->listen(backlog);
        if (status == Status::address_in_use)  // a socket that was bound later listens already
            return explain(Status::insufficient_resources, {.object = "listener",
                                                            .operation = "Listen",
                                                            .asked = "the address and port that Bind gave",
                                                            .limit = "one listener for each; another has begun",
                                                            .remedy = "use a new listener with another port",
                                                            .requirement = "ND2-LIS-BIND-01"});
        if (!ok(status)) return status;
    }
    return Status::success;
}

void SoftListener::close() {
    for (const auto& listener : listeners_) listener->close();
    listeners_.clear();
    ways_.clear();
}

}  // namespace opennd::soft
