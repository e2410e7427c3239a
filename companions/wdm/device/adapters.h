// SPDX-License-Identifier: MIT
// NDK adapters as the shims of NDIS and Winsock Kernel open and close them: guarded, unless checking is off.
#pragma once

#include <ndkpi.h>

namespace opennd::wdm {

NTSTATUS open_adapter(NDK_VERSION version, NET_IFINDEX if_index, NDK_ADAPTER** adapter, const char* call);
void close_adapter(NDK_ADAPTER* adapter, const char* call);

}  // namespace opennd::wdm
