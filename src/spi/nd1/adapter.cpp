// SPDX-License-Identifier: MIT
// Nd1Adapter: creates everything else, and registers memory.
#include "spi/nd1/adapter.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check_rule.h"
#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "core/memory/memory_window.h"
#include "core/queue/completion_queue.h"
#include "spi/nd1/call/adapter_info.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/connection/connector.h"
#include "spi/nd1/memory/memory_window.h"
#include "spi/nd1/queue/completion_queue.h"

namespace opennd {
namespace {

constexpr std::string_view kAdapter = "adapter";

// Its interface was there before, and has gone meanwhile (ND1-PROV-09).
FaceStatus open_face_status(Status status) {
    return nd1_made_face_status(status == Status::invalid_parameter ? Status::invalid_address : status);
}

// The address is the adapter's own: if the system does not give it now, resources are missing (ND1-AD-LSN-09).
FaceStatus listen_face_status(Status status) {
    return nd1_face_status(status == Status::invalid_address ? Status::insufficient_resources : status);
}

std::string_view listen_requirement(Status status) {
    return status == Status::address_in_use ? "ND1-AD-LSN-08" : "ND1-AD-LSN-09";
}

// Gives the program a face of `core`. A core object that gets none is closed again.
template <typename Face, typename Interface, typename Core, typename... Args>
HRESULT make_face(Interface** object, const Ref<Core>& core, Args&&... args) {
    try {
        void* made = nullptr;
        make_ref<Face>(std::forward<Args>(args)..., core)->hand_out(&made);
        *object = static_cast<Interface*>(made);
    } catch (...) {
        core->close();
        throw;
    }
    return ND_SUCCESS;
}

// Checks the range itself; the registration finds other faults (ND1-AD-REG-04, -05).
HRESULT check_memory(const Site& site, const Adapter& adapter, std::uintptr_t start, SIZE_T bytes) {
    const SIZE_T limit = adapter.limits().max_registration_bytes;
    if (bytes > limit)
        return refuse_nd1_limit(ND_INVALID_PARAMETER, site, "bytes:", bytes, limit, "ND1-AD-REG-04",
                                adapter.imposer(&AdapterLimits::max_registration_bytes, limit));
    if (start != 0 && bytes != 0 && start + bytes > start) return ND_SUCCESS;
    return explain(ND_ACCESS_VIOLATION, {.object = site.object,
                                         .operation = site.operation,
                                         .asked = phrase("{} bytes at {:#x}", bytes, start),
                                         .limit = "a byte or more of memory that is mapped",
                                         .remedy = "pass address and length of memory of this process",
                                         .requirement = "ND1-AD-REG-05"});
}

HRESULT refuse_foreign(const Address& address) {
    return explain(ND_INVALID_ADDRESS, {.object = "provider",
                                        .operation = "OpenAdapter",
                                        .asked = address.text(false),
                                        .limit = "an address of this host",
                                        .remedy = "take one of those that QueryAddressList lists",
                                        .requirement = "ND1-PROV-09",
                                        .rule = CheckRule::peer_address});
}

}  // namespace

HRESULT Nd1Adapter::open(AdapterCatalog& catalog, const Address& address, INDAdapter** adapter) {
    const Result<std::uint64_t> id = catalog.resolve(address);
    if (!id.ok()) return refuse_foreign(address);
    const Result<Ref<Adapter>> core = in_words_of(
        {"provider", "OpenAdapter"}, "ND1-PROV-09", [&] { return catalog.open(id.value(), Face::nd1); },
        open_face_status);
    if (!core.ok()) return open_face_status(core.status()).number;
    const std::optional<Address> own = core.value()->own_address(address);
    if (!own) return refuse_foreign(address);  // it has gone meanwhile
    void* made = nullptr;
    make_ref<Nd1Adapter>(core.value(), *own)->hand_out(&made);
    *adapter = static_cast<INDAdapter*>(made);
    return ND_SUCCESS;
}

// The adapter's own two requests complete at once, so that none is ever pending (ND1-OV-CXL-04).
HRESULT Nd1Adapter::CancelOverlappedRequests() noexcept { return ND_SUCCESS; }

HRESULT Nd1Adapter::GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) noexcept {
    return nd1_overlapped_result(overlapped, this, bytes, wait);
}

HRESULT Nd1Adapter::Query(DWORD version, ND_ADAPTER_INFO* info, SIZE_T* info_bytes) noexcept {
    constexpr Site site{kAdapter, "Query"};
    if (version != ND_VERSION_1)  // checked first (ND1-AD-QRY-01)
        return explain(ND_NOT_SUPPORTED, {.object = site.object,
                                          .operation = site.operation,
                                          .asked = phrase("version {:#x}", version),
                                          .limit = "version 1",
                                          .remedy = "pass ND_VERSION_1, or open an IND2Adapter",
                                          .requirement = "ND1-AD-QRY-01"});
    if (info_bytes == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_3, site, "pBufferSize");
    const SIZE_T room = info ? *info_bytes : 0;
    if (Nd1AdapterInfoSizes::give(nd1_adapter_info(*core_), info, room, *info_bytes)) return ND_SUCCESS;
    return refuse_room(site, room, *info_bytes, "ND1-AD-QRY-03");
}

HRESULT Nd1Adapter::Control(DWORD code, const VOID*, SIZE_T, VOID*, SIZE_T, SIZE_T* returned_bytes,
                            OVERLAPPED*) noexcept {
    if (returned_bytes) *returned_bytes = 0;
    return explain(ND_NOT_SUPPORTED, {.object = kAdapter,
                                      .operation = "Control",
                                      .asked = phrase("code {:#x}", code),
                                      .limit = "no code: there are no extensions",
                                      .remedy = "do without",
                                      .requirement = "ND1-AD-CTL-01"});
}

HRESULT Nd1Adapter::CreateCompletionQueue(SIZE_T entries, INDCompletionQueue** completion_queue) noexcept {
    constexpr Site site{kAdapter, "CreateCompletionQueue"};
    return at_face([&]() -> HRESULT {
        if (completion_queue == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "ppCq");
        *completion_queue = nullptr;
        const SIZE_T limit = core_->limits().max_completion_depth;
        if (entries == 0 || entries > limit)
            return refuse_nd1_limit(ND_INVALID_PARAMETER, site, "entries:", entries, limit, "ND1-AD-CQ-02",
                                    core_->imposer(&AdapterLimits::max_completion_depth, limit));
        const auto core = in_words_of(
            site, "ND1-AD-CQ-03",
            [&] { return CompletionQueue::create(core_, static_cast<std::uint32_t>(entries), NotifyRule::events); },
            nd1_made_face_status);
        if (!core.ok()) return to_nd1_made(core.status());
        return make_face<Nd1CompletionQueue>(completion_queue, core.value(), file_);
    });
}

// Runs `start`, which has done everything when it returns success: ND_SUCCESS and a packet (ND1-AD-REG-11).
template <typename Start>
HRESULT Nd1Adapter::complete_at_once(OVERLAPPED* overlapped, const Site& site, std::string_view requirement,
                                     Start&& start) noexcept {
    return submit(overlapped, this, file_->file(), kNd1Overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        const Status status = in_words_of(site, requirement, start);
        if (!ok(status)) return status;
        request->begin();
        request->complete(Status::success);
        return status;
    });
}

HRESULT Nd1Adapter::RegisterMemory(const VOID* buffer, SIZE_T bytes, OVERLAPPED* overlapped,
                                   ND_MR_HANDLE* registration) noexcept {
    constexpr Site site{kAdapter, "RegisterMemory"};
    return at_nd1_face([&]() -> HRESULT {
        if (registration == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_4, site, "phMr");
        *registration = nullptr;
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_3, site, "pOverlapped");
        const auto start = reinterpret_cast<std::uintptr_t>(buffer);
        if (const HRESULT bad = check_memory(site, *core_, start, bytes); FAILED(bad)) return bad;
        auto* const address = const_cast<std::byte*>(static_cast<const std::byte*>(buffer));
        return complete_at_once(overlapped, site, "ND1-AD-REG-05",
                                [&] { return registrations_->add(core_, address, bytes, *registration); });
    });
}

HRESULT Nd1Adapter::DeregisterMemory(ND_MR_HANDLE registration, OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kAdapter, "DeregisterMemory"};
    return at_nd1_face([&]() -> HRESULT {
        const auto found = registrations_->find(registration);
        if (!found)
            return refuse_handle(site, reinterpret_cast<HANDLE>(registration), "registration of this adapter",
                                 "ND1-AD-DRG-01");
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pOverlapped");
        return complete_at_once(overlapped, site, "ND1-AD-DRG-02",
                                [&] { return registrations_->remove(registration, *found); });
    });
}

HRESULT Nd1Adapter::CreateMemoryWindow(ND_RESULT* invalidate_result, INDMemoryWindow** window) noexcept {
    constexpr Site site{kAdapter, "CreateMemoryWindow"};
    return at_nd1_face([&]() -> HRESULT {
        if (window == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "ppMw");
        *window = nullptr;
        if (const Status status = MemoryWindow::check_supported(*core_); !ok(status)) return to_nd1_made(status);
        return make_face<Nd1MemoryWindow>(window, make_ref<MemoryWindow>(core_, invalidate_result));
    });
}

HRESULT Nd1Adapter::CreateConnector(INDConnector** connector) noexcept {
    constexpr Site site{kAdapter, "CreateConnector"};
    return at_face([&]() -> HRESULT {
        if (connector == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "ppConnector");
        *connector = nullptr;
        return make_face<Nd1Connector>(connector, make_ref<Connector>(core_), file_, core_, own_, registrations_);
    });
}

HRESULT Nd1Adapter::Listen(SIZE_T backlog, INT protocol, USHORT port, USHORT* assigned_port,
                           INDListen** listen) noexcept {
    constexpr Site site{kAdapter, "Listen"};
    return at_nd1_face([&]() -> HRESULT {
        if (listen == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_5, site, "ppListen");
        *listen = nullptr;
        if (const HRESULT bad = check_protocol(site, protocol, ND_INVALID_PARAMETER_2, "ND1-AD-LSN-04"); FAILED(bad))
            return bad;
        if (port == 0 && assigned_port == nullptr)
            return explain(ND_INVALID_PARAMETER_MIX, {.object = site.object,
                                                      .operation = site.operation,
                                                      .asked = "a free port, and no place to name it",
                                                      .limit = "Port 0 goes with pAssignedPort",
                                                      .remedy = "pass pAssignedPort, or a port",
                                                      .requirement = "ND1-AD-LSN-07"});
        const Ref<Listener> core = make_ref<Listener>(core_);
        const auto most = std::min<SIZE_T>(backlog, std::numeric_limits<std::uint32_t>::max());  // ND1-AD-LSN-02
        const Status status = in_words_of(
            site, listen_requirement,
            [&] {
                const Status bound = core->bind(own_.with_port(ntohs(port)));
                return ok(bound) ? core->listen(static_cast<std::uint32_t>(most)) : bound;
            },
            listen_face_status);
        if (!ok(status)) {
            core->close();
            return listen_face_status(status).number;
        }
        if (assigned_port) *assigned_port = htons(core->local_address().value().port());
        return make_face<Nd1Listen>(listen, core, file_);
    });
}

}  // namespace opennd
