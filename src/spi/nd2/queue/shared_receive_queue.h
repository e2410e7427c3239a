// SPDX-License-Identifier: MIT
// IND2SharedReceiveQueue: receives that several queue pairs take from. Next: core/queue/shared_receive_queue.h.
#pragma once

#include "core/queue/shared_receive_queue.h"
#include "spi/nd2/call/overlapped_object.h"

namespace opennd {

class Nd2SharedReceiveQueue final
    : public Nd2OverlappedObject<Nd2SharedReceiveQueue, IND2SharedReceiveQueue, SharedReceiveQueue> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x0A}};
    using Nd2OverlappedObject::Nd2OverlappedObject;

    HRESULT STDMETHODCALLTYPE GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) noexcept override;
    HRESULT STDMETHODCALLTYPE Modify(ULONG depth, ULONG threshold) noexcept override;
    HRESULT STDMETHODCALLTYPE Notify(OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Receive(VOID* context, const ND2_SGE sges[], ULONG count) noexcept override;
};

}  // namespace opennd
