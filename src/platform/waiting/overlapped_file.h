// SPDX-License-Identifier: MIT
// The overlapped file of an adapter: not a file, but the place where requests complete and a completion port is
// attached (ND2-FILE-01, ND2-FILE-05).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "platform/waiting/completion_port.h"
#include "platform/waiting/wait_point.h"

namespace opennd {

// Thread-safe. Objects created with the handle hold a Ref, so closing the handle disturbs nothing (ND2-FILE-02, -03).
class OverlappedFile final : public HandleObject {
public:
    static constexpr HandleKind kKind = HandleKind::overlapped_file;

    // `owner` is a tag, never dereferenced: which adapter instance made it (ND2-FILE-07).
    explicit OverlappedFile(const void* owner) : owner_(owner) {}

    HandleKind kind() const override { return kKind; }
    const void* owner() const { return owner_; }

    // Lets requests that complete from now on leave packets with `key` at `port`; once, for good (ND2-FILE-05, -06).
    //   invalid_parameter  associated already, or port is null
    Status associate(Ref<CompletionPort> port, std::uintptr_t key);

    // Leaves the packet of a completed request at the port associated at this moment, if any (ND2-OVL-09). No lock but
    // the port's.
    void deliver(void* overlapped, std::uintptr_t status, std::uint32_t bytes);

private:
    const void* const owner_;
    Mutex mutex_;
    Ref<CompletionPort> port_;             // written once under mutex_, then constant
    std::uintptr_t key_ = 0;               // likewise
    std::atomic<bool> associated_{false};  // release after the two above, acquire before reading them
};

}  // namespace opennd
