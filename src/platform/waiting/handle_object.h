// SPDX-License-Identifier: MIT
// The object behind a HANDLE.
#pragma once

#include <atomic>

#include "base/ref.h"

namespace opennd {

enum class HandleKind { event, completion_port, overlapped_file };

// A derived class T also has `static constexpr HandleKind kKind`, equal to its kind().
class HandleObject : public RefCounted {
public:
    virtual HandleKind kind() const = 0;

    // Called once, after its last handle was closed and no find() gives it any more. References may remain: requests in
    // progress go on undisturbed (ND2-FILE-02, ND2-OVL-06).
    virtual void on_close() {}

private:
    friend class HandleTable;
    // Counted by the table. Increments are relaxed, since they need no order; the decrement is acq_rel, so that
    // on_close() comes after all uses of any handle.
    std::atomic<unsigned> open_handles_{0};
};

}  // namespace opennd
