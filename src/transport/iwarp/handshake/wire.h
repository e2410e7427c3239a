// SPDX-License-Identifier: MIT
// Connections to any host over TCP, as RFC 5040, 5041, 5044 and 6581 have them.
#pragma once

#include "transport/iwarp/handshake/wire_context.h"
#include "transport/soft/wire.h"

namespace opennd::iwarp {

class IwarpWire final : public soft::Wire {
public:
    explicit IwarpWire(const Settings& settings = {});
    ~IwarpWire() override { context_->pollers->clear(); }
    IwarpWire(const IwarpWire&) = delete;
    IwarpWire& operator=(const IwarpWire&) = delete;

    std::string_view name() const override { return "iwarp"; }
    bool reaches(const Address& remote, std::string& reason) const override;
    // Also looks for a route, which connect() would do.
    bool would_take(const Address& remote, std::string& reason) const override;
    // Never fails: connect() finds out whether the remote end listens.
    Result<Ref<soft::ActiveEnd>> dial(Ref<soft::SoftAdapter> adapter, const Address& remote) override;
    Result<Ref<TransportListener>> create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) override;

private:
    const Ref<WireContext> context_;
};

}  // namespace opennd::iwarp
