// SPDX-License-Identifier: MIT
// A registration that is known to the entries that name it.
#pragma once

#include <utility>

#include "check/diagnostics.h"
#include "check/transport/registered_memory.h"
#include "transport/memory.h"

namespace opennd {

class CheckedMemory final : public TransportMemory {
public:
    // Throws std::bad_alloc; the caller deregisters `inner` then.
    CheckedMemory(Diagnostics& diagnostics, Ref<RegisteredMemory> regions, Ref<TransportMemory> inner,
                  const RegisteredMemory::Region& region);

    const Ref<TransportMemory>& inner() const { return inner_; }

    Token local_token() const override { return inner_->local_token(); }
    Token remote_token() const override { return inner_->remote_token(); }
    void deregister() override;

private:
    // Constant after construction.
    Diagnostics& diagnostics_;
    const Ref<RegisteredMemory> regions_;
    const Ref<TransportMemory> inner_;
    const RegisteredMemory::Region region_;
};

}  // namespace opennd
