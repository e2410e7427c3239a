// SPDX-License-Identifier: MIT
// INDAdapter: one open of the adapter that has an address, at that address. Read core/adapter/adapter.h for the rules.
#pragma once

#include "base/ref.h"
#include "core/adapter/adapter.h"
#include "core/adapter/adapter_catalog.h"
#include "spi/com_object.h"
#include "spi/nd1/call/overlapped_object.h"
#include "spi/nd1/memory/registrations.h"

namespace opennd {

class Nd1Adapter final : public ComObject<Nd1Adapter, INDAdapter, INDOverlapped, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x06}};

    // `own` is one of the adapter's addresses: its listens and connectors have no other.
    Nd1Adapter(Ref<Adapter> core, const Address& own)
        : core_(std::move(core)),
          own_(own.with_port(0)),
          file_(make_ref<Nd1File>(core_.get())),
          registrations_(make_ref<Registrations>()) {}

    // The adapter that has the address; the port is ignored. ND_INVALID_ADDRESS: none has (ND1-PROV-09).
    static HRESULT open(AdapterCatalog& catalog, const Address& address, INDAdapter** adapter);

    HRESULT STDMETHODCALLTYPE CancelOverlappedRequests() noexcept override;
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) noexcept override;
    HANDLE STDMETHODCALLTYPE GetFileHandle() noexcept override { return file_->handle(); }
    HRESULT STDMETHODCALLTYPE Query(DWORD version, ND_ADAPTER_INFO* info, SIZE_T* info_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE Control(DWORD code, const VOID* in, SIZE_T in_bytes, VOID* out, SIZE_T out_bytes,
                                      SIZE_T* returned_bytes, OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateCompletionQueue(SIZE_T entries,
                                                    INDCompletionQueue** completion_queue) noexcept override;
    HRESULT STDMETHODCALLTYPE RegisterMemory(const VOID* buffer, SIZE_T bytes, OVERLAPPED* overlapped,
                                             ND_MR_HANDLE* registration) noexcept override;
    HRESULT STDMETHODCALLTYPE DeregisterMemory(ND_MR_HANDLE registration, OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateMemoryWindow(ND_RESULT* invalidate_result,
                                                 INDMemoryWindow** window) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateConnector(INDConnector** connector) noexcept override;
    HRESULT STDMETHODCALLTYPE Listen(SIZE_T backlog, INT protocol, USHORT port, USHORT* assigned_port,
                                     INDListen** listen) noexcept override;

private:
    void close() override {}  // objects made from it go on

    template <typename Start>
    HRESULT complete_at_once(OVERLAPPED* overlapped, const Site& site, std::string_view requirement,
                             Start&& start) noexcept;

    // Constant after construction.
    const Ref<Adapter> core_;
    const Address own_;
    const Ref<Nd1File> file_;
    const Ref<Registrations> registrations_;
};

}  // namespace opennd
