// SPDX-License-Identifier: MIT
// IND2CompletionQueue: completions out as ND2_RESULTs; and with immediate data. Next: core/queue/completion_queue.h.
#pragma once

#include "core/queue/completion_queue.h"
#include "spi/nd2/call/overlapped_object.h"

namespace opennd {

class Nd2CompletionQueue final : public Nd2OverlappedObject<Nd2CompletionQueue, IND2ImmediateCompletionQueue,
                                                            CompletionQueue, IND2CompletionQueue> {
public:
    using ShownInterface = IND2CompletionQueue;
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x02}};
    using Nd2OverlappedObject::Nd2OverlappedObject;

    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, LPVOID* object) noexcept override;
    HRESULT STDMETHODCALLTYPE GetNotifyAffinity(USHORT* group, KAFFINITY* affinity) noexcept override;
    HRESULT STDMETHODCALLTYPE Resize(ULONG depth) noexcept override;
    HRESULT STDMETHODCALLTYPE Notify(ULONG type, OVERLAPPED* overlapped) noexcept override;
    ULONG STDMETHODCALLTYPE GetResults(ND2_RESULT results[], ULONG count) noexcept override;
    ULONG STDMETHODCALLTYPE GetImmediateResults(ND2_IMMEDIATE_RESULT results[], ULONG count) noexcept override;

private:
    template <typename Result>
    ULONG poll(Result results[], ULONG count) noexcept;
};

}  // namespace opennd
