// SPDX-License-Identifier: MIT
// One listening address on several wires at once: a peer takes the first of its wires that reaches it.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/listener.h"

namespace opennd::soft {

class SoftListener final : public TransportListener {
public:
    // A wire: its name, static text, and a function that makes a listener of it, as often as it is called.
    struct Way {
        std::string_view name;
        std::function<Result<Ref<TransportListener>>()> make;
    };
    explicit SoftListener(std::vector<Way> ways) : ways_(std::move(ways)) {}

    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

private:
    Status bind_all(const Address& address);

    // Core calls these one at a time.
    std::vector<Way> ways_;                          // none once it is closed
    std::vector<Ref<TransportListener>> listeners_;  // one a wire
};

}  // namespace opennd::soft
