// SPDX-License-Identifier: MIT
// One listening address on every chosen wire at once: a peer takes the first of its wires that reaches it.
#pragma once

#include <vector>

#include "transport/listener.h"
#include "transport/soft/adapter.h"

namespace opennd::soft {

class SoftListener final : public TransportListener {
public:
    SoftListener(Ref<SoftAdapter> adapter, Ref<ListenerSink> sink)
        : adapter_(std::move(adapter)), sink_(std::move(sink)) {}

    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

private:
    Status bind_all(const Address& address);

    // Core calls these one at a time.
    const Ref<SoftAdapter> adapter_;
    Ref<ListenerSink> sink_;
    std::vector<Ref<TransportListener>> listeners_;  // one a wire
};

}  // namespace opennd::soft
