// SPDX-License-Identifier: MIT
//
// Registration: memory made known to an adapter, for everything that the version knows: local access, sink of Reads, and in
// version 2 remote access too. In version 1 that is granted to one connection at a time (Connection::grant).
#pragma once

#include "network/adapter.h"

#include <cstddef>

namespace nd {

class Registration {
public:
    explicit Registration(const Adapter& adapter);

    // Requests on object(). The memory is known between the two.
    HRESULT begin(void* memory, std::size_t bytes, OVERLAPPED* request);
    HRESULT end(OVERLAPPED* request);
    OverlappedObject object() const { return {adapter_.nd1(), region_.get()}; }

    // For texts of errors.
    const char* begin_method() const;
    const char* end_method() const;

    // Those that the version has; others are 0 or null.
    UINT32 local_token() const { return region_ ? region_->GetLocalToken() : 0; }
    UINT32 remote_token() const { return region_ ? region_->GetRemoteToken() : 0; }
    ND_MR_HANDLE handle() const { return handle_; }

private:
    const Adapter& adapter_;
    ComPtr<IND2MemoryRegion> region_;  // version 2
    ND_MR_HANDLE handle_ = nullptr;    // version 1
};

}  // namespace nd
