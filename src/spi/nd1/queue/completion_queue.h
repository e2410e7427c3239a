// SPDX-License-Identifier: MIT
// INDCompletionQueue. Read core/queue/completion_queue.h for the rules.
#pragma once

#include "core/queue/completion_queue.h"
#include "spi/nd1/call/overlapped_object.h"

namespace opennd {

class Nd1CompletionQueue final : public Nd1OverlappedObject<Nd1CompletionQueue, INDCompletionQueue, CompletionQueue> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x02}};
    using Nd1OverlappedObject::Nd1OverlappedObject;

    HRESULT STDMETHODCALLTYPE Resize(SIZE_T entries) noexcept override;
    HRESULT STDMETHODCALLTYPE Notify(DWORD type, OVERLAPPED* overlapped) noexcept override;
    SIZE_T STDMETHODCALLTYPE GetResults(ND_RESULT* results[], SIZE_T count) noexcept override;
};

}  // namespace opennd
