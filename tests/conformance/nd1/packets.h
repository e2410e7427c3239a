// SPDX-License-Identifier: MIT
//
// For tests that wait as the published programs of version 1 do: by packets of a completion port. Packets is the port
// of one adapter instance; Stale is an OVERLAPPED of which only hEvent is set (ND1-CL-18).
#pragma once

#include <map>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {

struct Stale : OVERLAPPED {
    Stale() {
        std::memset(static_cast<void*>(this), 0xA5, sizeof *this);
        hEvent = nullptr;
    }
};

class Packets {
public:
    explicit Packets(INDAdapter& adapter) {
        require(opennd_port_create(&port_), ND_SUCCESS, "opennd_port_create");
        require(opennd_port_associate(port_, adapter.GetFileHandle(), 0), ND_SUCCESS, "opennd_port_associate");
    }
    Packets(const Packets&) = delete;
    Packets& operator=(const Packets&) = delete;
    ~Packets() { opennd_handle_close(port_); }

    // Whether there is none, but those of others that were met on the way to one.
    bool none() { return !take(0); }

    // The outcome of a call that takes `request`: inline if it failed, else the packet's. Every call that does not fail
    // leaves a packet, also one that was done at once (ND1-OV-04).
    HRESULT finish(HRESULT begun, const OVERLAPPED& request) {
        if (FAILED(begun)) return begun;
        while (!outcomes_.contains(&request))
            if (!take(static_cast<DWORD>(support::kDeadline.count()))) return ND_PENDING;
        return outcomes_.extract(&request).mapped();
    }

private:
    bool take(DWORD limit_ms) {
        opennd_packet packet;
        ULONG count = 0;
        if (opennd_port_wait(port_, &packet, 1, limit_ms, &count) != ND_SUCCESS) return false;
        outcomes_[packet.overlapped] = static_cast<HRESULT>(packet.status);
        return true;
    }

    HANDLE port_ = nullptr;
    std::map<const OVERLAPPED*, HRESULT> outcomes_;
};

}  // namespace opennd::conformance::nd1
