// SPDX-License-Identifier: MIT
// See provider.h.
#include "spi/nd2/provider.h"

#include <optional>
#include <vector>

#include "spi/nd2/adapter.h"
#include "spi/nd2/call/argument.h"

namespace opennd {

HRESULT Nd2Provider::QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* list_bytes) noexcept {
    return at_face([&] {
        return give_address_list({"provider", "QueryAddressList"}, catalog_.listed(), list, list_bytes);
    });
}

HRESULT Nd2Provider::ResolveAddress(const sockaddr* address, ULONG address_bytes, UINT64* adapter_id) noexcept {
    constexpr Site site{"provider", "ResolveAddress"};
    return at_face([&]() -> HRESULT {
        if (adapter_id == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pAdapterId");
        const std::optional<Address> wanted = Address::from(address, address_bytes);
        if (!wanted) return refuse_address(site, address, address_bytes);  // ND2-PRV-RES-02
        const Result<std::uint64_t> id = catalog_.resolve(*wanted);
        if (!id.ok())
            return explain(to_hresult(id.status()), {.object = site.object,
                                                     .operation = site.operation,
                                                     .asked = wanted->text(false),
                                                     .limit = "an address of this host",
                                                     .remedy = "take one of those that QueryAddressList lists",
                                                     .requirement = "ND2-PRV-RES-01"});
        *adapter_id = id.value();
        return ND_SUCCESS;
    });
}

HRESULT Nd2Provider::OpenAdapter(REFIID iid, UINT64 adapter_id, VOID** adapter) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2Adapter>({"provider", "OpenAdapter"}, iid, adapter); FAILED(bad))
            return bad;
        const Result<Ref<Adapter>> core = catalog_.open(adapter_id, Face::nd2);
        if (!core.ok()) return to_hresult(core.status());
        const Ref<Nd2Adapter> face = make_ref<Nd2Adapter>(Ref<Nd2Provider>(this), core.value());
        AddRef();  // until adapter_closed()
        adapters_.fetch_add(1, std::memory_order_relaxed);
        face->hand_out(adapter);
        return ND_SUCCESS;
    });
}

// A program that has released its own references has not left the provider behind, but the adapters that keep it.
ULONG Nd2Provider::Release() noexcept {
    const ULONG of_adapters = adapters_.load(std::memory_order_relaxed);
    const ULONG left = ComObject::Release();
    if (Checker* const checks = checker(); checks && left != 0 && left == of_adapters) checks->released(this);
    return left;
}

void Nd2Provider::adapter_closed() noexcept {
    adapters_.fetch_sub(1, std::memory_order_relaxed);
    Release();
}

}  // namespace opennd
