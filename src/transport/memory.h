// SPDX-License-Identifier: MIT
// Seam: one registration of memory.
#pragma once

#include "base/ref.h"
#include "model/token.h"

namespace opennd {

class TransportMemory : public RefCounted {
public:
    virtual Token local_token() const = 0;
    virtual Token remote_token() const = 0;

    // Kills both tokens; returns when no access through them is in progress here or at a peer (ND2-MR-DEREG-02). A wait is
    // as long as one chunk of a copy. Called once.
    virtual void deregister() = 0;
};

}  // namespace opennd
