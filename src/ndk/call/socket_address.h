// SPDX-License-Identifier: MIT
// Addresses in and out, as all functions of the face have them (NDK-SIZE-01 to -03).
#pragma once

#include <optional>

#include "base/result.h"
#include "model/address.h"
#include "ndk/call/refusal.h"
#include "ndktypes.h"

namespace opennd {

// Nothing where it is no IPv4 or IPv6 address of a whole size. Windows' number of AF_INET6 is taken too (NDK-HOST-50).
std::optional<Address> read_address(const SOCKADDR* address, ULONG bytes);

// STATUS_INVALID_PARAMETER, for an address that read_address() refuses.
[[gnu::cold]] NTSTATUS refuse_address(const NdkCall& call, const SOCKADDR* address, ULONG bytes) noexcept;
// STATUS_INVALID_ADDRESS.
[[gnu::cold]] NTSTATUS refuse_local(const NdkCall& call, const Address& address) noexcept;

// NDK-SIZE-01 to -03.
NTSTATUS give_address(const NdkCall& call, const Address& found, PSOCKADDR address, ULONG* bytes);

}  // namespace opennd
