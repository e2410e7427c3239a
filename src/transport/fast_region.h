// SPDX-License-Identifier: MIT
// Seam: a region whose tokens stay the same while requests in the queues of queue pairs say, again and again, which memory
// they name: fast registration (NDK-MR-FRMR-03). It is free or valid; a FastRegister that executes makes it valid, an
// Invalidate, a Read that ends it, or the peer's SendAndInvalidate make it free. It belongs to no queue pair and outlives
// those it was used on (NDK-QP-FREG-06).
#pragma once

#include "base/ref.h"
#include "model/access.h"
#include "model/page_list.h"
#include "model/token.h"
#include "transport/request_subject.h"

namespace opennd {

// Whether peers may use the remote token of a registration at all.
enum class Reach : std::uint8_t { local, peers };

class TransportFastRegion : public TransportRequestSubject {
public:
    // The tokens are constant and never none; they mean nothing while the region is free.
    virtual Token local_token() const = 0;
    virtual Token remote_token() const = 0;

    // Returns true if the region is valid now; another thread may change that at any time. Any thread.
    virtual bool valid() const = 0;

    // Makes the subject of one FastRegister: `pages`, which core has checked, and what may be done with them. Copies
    // the list. Throws std::bad_alloc. The request completes with malformed_request if the region is valid when it
    // executes, or closed.
    virtual Ref<TransportRequestSubject> prepare(const PageList& pages, Access access, Reach reach) = 0;

    // The core object is closed: free for good, and no access under its tokens is in progress on return. Once.
    virtual void close() = 0;
};

}  // namespace opennd
