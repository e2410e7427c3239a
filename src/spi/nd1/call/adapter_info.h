// SPDX-License-Identifier: MIT
// The answer of INDAdapter::Query.
#pragma once

#include <string_view>

#include "base/published_sizes.h"
#include "core/adapter/adapter.h"
#include "ndspi.h"
#include "spi/explanation.h"

namespace opennd {

// ND1-AD-QRY-02, -06
using Nd1AdapterInfoSizes = PublishedSizes<ND_ADAPTER_INFO, 128>;

ND_ADAPTER_INFO nd1_adapter_info(const Adapter& adapter);

// The Protocol argument of Listen and Connect: an IANA protocol number that is checked and goes nowhere
// (docs/decisions/0011).
inline HRESULT check_protocol(const Site& site, INT protocol, HRESULT bad, std::string_view requirement) noexcept {
    constexpr INT kLast = 255;
    if (protocol >= 0 && protocol <= kLast) return ND_SUCCESS;
    return explain(bad, {.object = site.object,
                         .operation = site.operation,
                         .asked = phrase("protocol {}", protocol),
                         .limit = "0 to 255",
                         .remedy = "pass an IANA protocol number, the same at both sides",
                         .requirement = requirement});
}

}  // namespace opennd
