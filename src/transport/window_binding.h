// SPDX-License-Identifier: MIT
// Seam: one binding of a memory window: a token for a part of a region that peers of one queue pair may use, from the
// execution of a Bind until it ends. Each Bind makes a new one, so that a Bind may be posted while the Invalidate of the
// binding before it is still on its way (ND2-QP-INV-04).
#pragma once

#include "model/token.h"
#include "transport/request_subject.h"

namespace opennd {

// Terms that differ between faces.
struct BindingTerms {
    // The request context of the completion that tells of its invalidation by the peer: directly before the receive that
    // came with it (ND1-MW-05, -06). Null: no such completion.
    void* invalidated_context = nullptr;
    // True if the binding dies with its queue pair: it is not alive any more once the queue pair is in error
    // (ND1-MW-09). Otherwise it is only out of reach then (ND2-MW-07).
    bool ends_with_connection = false;
};

class TransportWindowBinding : public TransportRequestSubject {
public:
    // The token is known before the Bind executes; it means nothing to peers until then (ND2-MW-04, ND2-QP-BIND-04).
    virtual Token remote_token() const = 0;

    // Returns true if the binding is in force, or is to come into force. Any thread.
    virtual bool alive() const = 0;
    // Returns true if the binding is not alive, and no access of the peer through it is in progress any more. Any
    // thread.
    virtual bool at_rest() const = 0;

    // Ends it, if it is alive; at rest when this returns (ND2-MW-06). Any thread, under no lock of the transport.
    virtual void end() = 0;
};

}  // namespace opennd
