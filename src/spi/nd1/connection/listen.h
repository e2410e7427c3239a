// SPDX-License-Identifier: MIT
// INDListen. Read core/connection/listener.h for the rules.
#pragma once

#include "core/connection/listener.h"
#include "spi/nd1/call/overlapped_object.h"

namespace opennd {

class Nd1Listen final : public Nd1OverlappedObject<Nd1Listen, INDListen, Listener> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x05}};
    using Nd1OverlappedObject::Nd1OverlappedObject;

    HRESULT STDMETHODCALLTYPE GetConnectionRequest(INDConnector* connector, OVERLAPPED* overlapped) noexcept override;
};

}  // namespace opennd
