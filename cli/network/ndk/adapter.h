// SPDX-License-Identifier: MIT
//
// NdkAdapter: one open NDK adapter, and the protection domain of all memory and queue pairs that this command makes there.
#pragma once

#include "network/ndk/owned.h"
#include "network/socket_address.h"

#include <ndspi.h>

namespace nd {

class NdkAdapter {
public:
    // The adapter that has the address. Throws NdError.
    explicit NdkAdapter(const SocketAddress& address);
    ~NdkAdapter();  // waits until everything made from it is closed
    NdkAdapter(const NdkAdapter&) = delete;
    NdkAdapter& operator=(const NdkAdapter&) = delete;

    NDK_ADAPTER* get() const { return adapter_; }
    NDK_PD* domain() const { return domain_.get(); }
    const NDK_ADAPTER_DISPATCH& call() const { return *adapter_->Dispatch; }

    // NDK_ADAPTER_INFO in the words of version 2. Throws NdError.
    ND2_ADAPTER_INFO limits() const;

private:
    NDK_ADAPTER* adapter_ = nullptr;
    Owned<NDK_PD> domain_;
};

}  // namespace nd
