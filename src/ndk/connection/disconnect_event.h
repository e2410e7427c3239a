// SPDX-License-Identifier: MIT
// The callback that NdkAccept or NdkCompleteConnect was given, in either of its forms (NDK-CON-EVT-05), and the reasons
// it reports (NDK-CON-EVT-04). A failed request of either side counts as a loss, since the connector does not know the
// side.
#pragma once

#include "ndkpi.h"

namespace opennd {

enum class DisconnectReason : ULONG {
    none = 0,
    notice = 1,   // the peer's NdkDisconnect
    closed = 2,   // the peer ended it without asking
    lost = 3,     // a request failed at either side, the transport broke, or the peer's process ended
    removed = 6,  // NDK was disabled at this side's interface
};

struct DisconnectEvent {
    NDK_FN_DISCONNECT_EVENT_CALLBACK plain = nullptr;
    NDK_FN_DISCONNECT_EVENT_CALLBACK_EX extended = nullptr;
    PVOID context = nullptr;

    explicit operator bool() const { return plain || extended; }
    void call(ULONG reason) const {
        if (plain) plain(context);
        if (extended) extended(context, reason);
    }
};

}  // namespace opennd
