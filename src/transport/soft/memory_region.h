// SPDX-License-Identifier: MIT
// One registration with the software RNIC: a slot of the adapter's token table.
#pragma once

#include "transport/memory.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::soft {

class SoftMemoryRegion final : public TransportMemory {
public:
    SoftMemoryRegion(Ref<OpenAdapter> adapter, TokenTable::Tokens tokens, std::uint32_t segment)
        : adapter_(std::move(adapter)), tokens_(tokens), segment_(segment) {}

    Token local_token() const override { return tokens_.local; }
    Token remote_token() const override { return tokens_.remote; }
    void deregister() override { adapter_->end_registration(tokens_, segment_); }

private:
    const Ref<OpenAdapter> adapter_;
    const TokenTable::Tokens tokens_;
    const std::uint32_t segment_;  // 0: memory that peers cannot map
};

}  // namespace opennd::soft
