// SPDX-License-Identifier: MIT
// The addresses that have an adapter, ours and other vendors', and what opens ours.
#pragma once

#include <vector>

#include "model/address.h"
#include "ndspi.h"

namespace opennd {

// The addresses that NdQueryAddressList lists with these flags: version 2, then version 1, ours before other vendors' in each. Ours
// serve both versions, so that each address that they list stands there once for either (NDS-LIST-01, ND1-FW-08).
std::vector<Address> listed_addresses(DWORD flags);

// An adapter of ours, or any at all, has it.
bool served_here(const Address& address);
bool served(const Address& address);

// Makes a provider: of version 1 for IID_INDProvider, of version 2 otherwise. S_OK; E_NOINTERFACE; E_POINTER;
// ND_NO_MEMORY.
HRESULT create_provider(REFIID iid, void** provider) noexcept;

// Ours have this interface.
bool opens_here(REFIID iid);
// Opens ours: version 1 for IID_INDAdapter, version 2 otherwise (NDS-OPEN-01).
HRESULT open_here(REFIID iid, const Address& address, void** adapter);

}  // namespace opennd
