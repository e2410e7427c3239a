// SPDX-License-Identifier: MIT
// The tables of functions that NDK objects point to, whatever version was opened (spec section 2.3). dispatch.cpp fills
// them member by member; each object's file says what its functions do.
#pragma once

#include "ndk/object.h"
#include "ndkpi.h"

namespace opennd {

extern const NDK_ADAPTER_DISPATCH kAdapterDispatch;
extern const NDK_PD_DISPATCH kPdDispatch;
extern const NDK_CQ_DISPATCH kCqDispatch;
extern const NDK_QP_DISPATCH kQpDispatch;
extern const NDK_SRQ_DISPATCH kSrqDispatch;
extern const NDK_MR_DISPATCH kMrDispatch;
extern const NDK_MW_DISPATCH kMwDispatch;
extern const NDK_SHARED_ENDPOINT_DISPATCH kSharedEndpointDispatch;
extern const NDK_CONNECTOR_DISPATCH kConnectorDispatch;
extern const NDK_LISTENER_DISPATCH kListenerDispatch;

}  // namespace opennd
