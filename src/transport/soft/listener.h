// SPDX-License-Identifier: MIT
// One listening address on every chosen wire at once: a peer takes the first of its wires that reaches it.
#pragma once

#include <functional>
#include <vector>

#include "transport/listener.h"
#include "transport/soft/wire.h"

namespace opennd::soft {

class SoftListener final : public TransportListener {
public:
    // `make` gives the listener of one of the `wires`, as often as it is asked.
    using Make = std::function<Result<Ref<TransportListener>>(Wire& wire)>;
    SoftListener(std::vector<Wire*> wires, Make make) : wires_(std::move(wires)), make_(std::move(make)) {}

    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

private:
    Status bind_all(const Address& address);

    // Core calls these one at a time.
    const std::vector<Wire*> wires_;
    Make make_;                                      // none once it is closed
    std::vector<Ref<TransportListener>> listeners_;  // one a wire
};

}  // namespace opennd::soft
