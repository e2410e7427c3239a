// SPDX-License-Identifier: MIT
//
// Version 2's own part of overlapped requests. Read conformance/vocabulary/com_request.h first.
#pragma once

#include "conformance/vocabulary/com_request.h"
#include "conformance/vocabulary/nd2/outcomes.h"

namespace opennd::conformance::nd2 {

struct Version {
    static Outcome outcome_of(HRESULT status) { return nd2::outcome_of(status); }
    static void check_begun(HRESULT begun, Request&) {
        EXPECT_NE(begun, ND_SUCCESS) << "an overlapped request may not complete inline (ND2-OVL-01)";
    }
};

template <typename Interface>
using Owner = ComOwner<Interface, Version>;

}  // namespace opennd::conformance::nd2
