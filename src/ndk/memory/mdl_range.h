// SPDX-License-Identifier: MIT
// The range that a chain of MDLs describes: virtual addresses, which are indices, and the pages that hold the bytes
// (NDK-MDL-01 to -04).
#pragma once

#include <cstdint>
#include <vector>

#include "ndk/call/refusal.h"
#include "ndk/object/adapter.h"
#include "ndkpi.h"
#include "ndktypes.h"

namespace opennd {

class MdlRange {
public:
    // The first `bytes` of the chain, which is neither kept nor changed. STATUS_INVALID_PARAMETER: no chain, no bytes, fewer
    // bytes than that, not contiguous in virtual memory, or two pages for one.
    static NTSTATUS check(const NdkCall& call, const MDL* chain, SIZE_T bytes);
    // After check() has succeeded.
    MdlRange(const MDL* chain, SIZE_T bytes);

    std::uint64_t address() const { return address_; }  // of the first byte
    std::uint32_t first_byte() const;                   // the same in its page
    std::uint32_t page_count() const { return page_count_; }
    // Each page holds the bytes of its own address, so that the address is a pointer.
    bool is_identity() const { return identity_; }
    // The addresses of the pages in this process, in order.
    std::vector<std::uint64_t> pages() const;
    void write_pages(NDK_LOGICAL_ADDRESS pages[]) const;

private:
    const MDL* const chain_;
    const SIZE_T bytes_;
    std::uint64_t address_ = 0;
    std::uint32_t page_count_ = 0;
    bool identity_ = true;
};

// NDK_LOGICAL_ADDRESS_MAPPING, the one thing of NDK without header and table: the pages of a chain of MDLs, as addresses of
// this process (NDK-LAM-05). An adapter that translates them knows them as long as the mapping lives (NDK-LAM-11).
NTSTATUS build_mapping(NdkAdapter& adapter, const MDL* chain, SIZE_T bytes, NDK_LOGICAL_ADDRESS_MAPPING* mapping,
                       ULONG* mapping_bytes, ULONG* first_byte);
void release_mapping(NDK_LOGICAL_ADDRESS_MAPPING* mapping);

}  // namespace opennd
