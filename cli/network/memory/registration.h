// SPDX-License-Identifier: MIT
//
// Registration: memory made known to an adapter, for everything that the interface knows: local access, sink of Reads, and
// but for version 1 remote access too. There that is granted to one connection at a time (Connection::grant).
#pragma once

#include "network/adapter.h"
#include "network/ndk/memory_region.h"

#include <cstddef>
#include <memory>

namespace nd {

class Registration {
public:
    explicit Registration(const Adapter& adapter);

    // Requests on object(). The memory is known between the two.
    HRESULT begin(void* memory, std::size_t bytes, OVERLAPPED* request);
    HRESULT end(OVERLAPPED* request);
    OverlappedObject object() const { return {adapter_.nd1(), region_.get(), ndk_region_.get()}; }

    // For texts of errors.
    const char* begin_method() const;
    const char* end_method() const;

    // Those that the interface has; others are 0 or null. The remote one is as it travels (remote_memory.h).
    UINT32 local_token() const;
    UINT32 remote_token() const;
    ND_MR_HANDLE handle() const { return handle_; }

private:
    const Adapter& adapter_;
    ComPtr<IND2MemoryRegion> region_;  // version 2
    ND_MR_HANDLE handle_ = nullptr;    // version 1
    std::unique_ptr<NdkMemoryRegion> ndk_region_;
};

}  // namespace nd
