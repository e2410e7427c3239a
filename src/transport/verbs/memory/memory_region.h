// SPDX-License-Identifier: MIT
// One registration with a device: an ibv_mr, its keys, and the map of all that one open has.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "model/token.h"
#include "model/work_request.h"
#include "transport/memory.h"
#include "transport/verbs/device/rdma_core.h"

namespace opennd::verbs {

class OpenDevice;

class VerbsMemoryRegion final : public TransportMemory {
public:
    VerbsMemoryRegion(Ref<OpenDevice> adapter, ibv_mr* region, bool for_peers);

    Token local_token() const override { return Token{region_->lkey}; }
    // A device may have no such key for memory without a right for peers: this is then a number that names nothing.
    Token remote_token() const override { return remote_; }
    void deregister() override;

    ibv_mr* get() const { return region_; }

private:
    const Ref<OpenDevice> adapter_;
    ibv_mr* const region_;
    const Token remote_;
};

// Returns the device's rights for those of a program. iWARP NICs want the peers' right to write on memory that a Read
// fills, and programs read into regions that are writable for this side alone (ND2-MR-REG-03); a peer that guesses the
// key may write there then (docs/verbs.md). `bindable`: memory windows may be bound to it; the device has such windows.
int device_access(Access access, bool reads_need_remote_write, bool bindable);

// The memory that the local keys of one open name, to tell what was wrong with a request: soft devices report a wrong key, a right
// that is missing and a receive that is too small by one number. Nothing of the data path asks it.
// Thread-safe.
class RegionMap {
public:
    struct Region {
        std::uint64_t address;
        std::uint64_t bytes;
        bool writable;  // by this side's receives and Reads
    };
    void add(Token local, const Region& region) EXCLUDES(mutex_);
    void remove(Token local) EXCLUDES(mutex_);

    // Finds the reason why the hardware did not carry a request out. access_violation: an entry lies outside of its
    // region, or has no such right; receive_too_small: a receive with good entries; internal_error: nothing is wrong
    // with the entries.
    Status blame(Operation operation, std::span<const Sge> entries) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // taken under the lock of a completion queue; nothing is called under it
    std::unordered_map<std::uint32_t, Region> regions_ GUARDED_BY(mutex_);  // by local key
};

}  // namespace opennd::verbs
