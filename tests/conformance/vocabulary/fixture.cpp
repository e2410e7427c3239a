// SPDX-License-Identifier: MIT
//
// Pinning the transport. A variant fails if its transport cannot be selected; it is never run over another one.
#include "conformance/vocabulary/fixture.h"

#include <opennd.h>

#include "support/status.h"

namespace opennd::conformance {

PinnedTransport::PinnedTransport(const char* name) {
    support::require(opennd_transport_select(name), ND_SUCCESS, "opennd_transport_select");
}

PinnedTransport::~PinnedTransport() { EXPECT_TRUE(support::is(opennd_transport_select(nullptr), ND_SUCCESS)); }

}  // namespace opennd::conformance
