// SPDX-License-Identifier: MIT
// The registrations of one open of an adapter, and what entries may do with them; and a registration as core has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/lock.h"
#include "base/ref.h"
#include "check/diagnostics.h"
#include "model/access.h"
#include "model/sge.h"
#include "model/token.h"
#include "platform/process/call_stack.h"
#include "transport/memory.h"

namespace opennd::watch {

// Any thread.
class RegisteredMemory final : public RefCounted {
public:
    enum class Kind : std::uint8_t {
        plain,          // addresses of this process
        pages,          // numbers of an index into pages
        address_space,  // all memory
    };
    struct Region {
        Kind kind;
        std::uint64_t start;  // of plain and pages
        std::uint64_t bytes;
        Access access;
        CallStack at;
    };

    // Throws std::bad_alloc.
    void add(Token local, const Region& region) EXCLUDES(mutex_);
    void remove(Token local) EXCLUDES(mutex_);

    enum class Finding : std::uint8_t { sound, fault, unknown };  // unknown: no registration has the token
    // Whether `sge` lies in its region, which has one of the rights `wanted`; none: any. `fault`: why not. `plain`: it is memory of
    // this process that can be looked at. Throws std::bad_alloc.
    Finding judge(const Sge& sge, Access wanted, std::string& fault, bool& plain) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<Token, Region> regions_ GUARDED_BY(mutex_);
};

// A registration that is known to the entries that name it.
class CheckedMemory final : public TransportMemory {
public:
    // Throws std::bad_alloc; the caller deregisters `inner` then.
    CheckedMemory(Diagnostics& diagnostics, Ref<RegisteredMemory> regions, Ref<TransportMemory> inner,
                  const RegisteredMemory::Region& region)
        : diagnostics_(diagnostics), regions_(std::move(regions)), inner_(std::move(inner)), region_(region) {
        regions_->add(inner_->local_token(), region_);
    }

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

}  // namespace opennd::watch
