// SPDX-License-Identifier: MIT
// A fast region: memory that requests of queue pairs register, and end, as they execute (NDK-MR-FRMR-01 to -05). Its
// tokens are the same for all registrations. QueuePair::fast_register and ::invalidate use it; transport/fast_region.h
// defines registrations and their ends.
#pragma once

#include <cstdint>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
#include "model/access.h"
#include "model/page_list.h"
#include "model/token.h"
#include "transport/fast_region.h"

namespace opennd {

class Adapter;

class FastRegion final : public RefCounted {
public:
    explicit FastRegion(Ref<Adapter> adapter);
    ~FastRegion() override;

    const Adapter& adapter() const { return *adapter_; }

    // Sets the largest number of pages of a registration, and whether peers may use it at all. May be called again; in
    // force for requests posted from now on (NDK-MR-FRMR-02).
    //   invalid_parameter        no pages
    //   insufficient_resources   more pages than the adapter's traits allow; or no token is free
    //   not_supported            peers are to use it, and the adapter has no such regions
    //   invalid_state            registered now
    Status initialize(std::uint32_t max_pages, Reach reach) EXCLUDES(mutex_);

    // Token::none before the first initialize(); constant from then on. Any thread.
    Token local_token() const EXCLUDES(mutex_);
    Token remote_token() const EXCLUDES(mutex_);

    // Registered, as far as requests have executed. Any thread.
    bool valid() const EXCLUDES(mutex_);

    // For QueuePair: the subject of a FastRegister. If first_byte is 0, the offset of `base` in its page takes its
    // place (NDK-QP-FREG-03).
    //   invalid_parameter   never initialised; no pages, more than it was initialised for, or one that does not begin at a
    //                       multiple of kPageBytes; first_byte beyond the first page; no bytes, or more than the pages hold; a
    //                       base that does not fit first_byte; a range that wraps
    //   access_violation    `access` is the peers', and they may not use the region
    Result<Ref<TransportRequestSubject>> prepare(const PageList& pages, Access access) EXCLUDES(mutex_);
    // Null before the first initialize().
    Ref<TransportFastRegion> transport() const EXCLUDES(mutex_);

    // Releases it for the program: ends the registration, if any; nothing touches the memory on return (NDK-MR-REG-06).
    // Once.
    void close() EXCLUDES(mutex_);

private:
    Status check(const PageList& pages, Access access) const REQUIRES(mutex_);

    const Ref<Adapter> adapter_;

    mutable Mutex mutex_;
    Ref<TransportFastRegion> transport_ GUARDED_BY(mutex_);  // null until initialize()
    std::uint32_t max_pages_ GUARDED_BY(mutex_) = 0;
    Reach reach_ GUARDED_BY(mutex_) = Reach::local;
};

}  // namespace opennd
