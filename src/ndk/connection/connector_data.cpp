// SPDX-License-Identifier: MIT
// A connector's data: read limits, the peer's private data, addresses. See connector.h.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check_rule.h"
#include "ndk/call/refusal.h"
#include "ndk/call/socket_address.h"
#include "ndk/connection/connector.h"

namespace opennd {
namespace {

constexpr NdkCall kGetData{"connector", "NdkGetConnectionData", "NDK-CON-DATA-02"};

}  // namespace

// After a refusal there are no limits, and perhaps data (NDK-CON-DATA-02, -03).
NTSTATUS NdkConnector::get_data(ULONG* inbound, ULONG* outbound, PVOID data, ULONG* data_bytes) {
    return at_kernel_face(kGetData, [&]() -> NTSTATUS {
        if (data_bytes == nullptr) return refuse_null(kGetData, "pPrivateDataLength");
        if (data == nullptr && *data_bytes != 0) return refuse_null(kGetData, "pPrivateData");
        Ref<Connector> core;
        bool refused = false;
        {
            const Held lock(mutex_);
            refused = refused_ && stage_ == Stage::idle;
            const bool none = stage_ == Stage::idle || stage_ == Stage::connecting || stage_ == Stage::disconnecting ||
                              stage_ == Stage::expired || stage_ == Stage::over;
            if (none && !refused)
                return refuse_stage(
                    kGetData, STATUS_CONNECTION_INVALID,
                    "from request or reply to the end of the connection, or after a refusal", "NDK-CON-DATA-02",
                    (stage_ == Stage::idle && !named_) || stage_ == Stage::connecting ? CheckRule::private_data
                                                                                      : CheckRule::none);
            core = core_;
        }
        const Result<ReadLimits> limits = refused ? Result<ReadLimits>(ReadLimits{}) : core->read_limits();
        if (!limits.ok()) return to_ntstatus(limits.status());
        Result<ReceivedData> received = core->private_data();
        if (!received.ok() && !refused) return to_ntstatus(received.status());
        const ReceivedData bytes = received.ok() ? received.take() : ReceivedData();
        if (inbound) *inbound = limits.value().inbound;
        if (outbound) *outbound = limits.value().outbound;
        const ULONG room = data ? *data_bytes : 0;
        const ReceivedData::Part part = bytes.part_for(room);
        *data_bytes = static_cast<ULONG>(part.told);
        if (data == nullptr) return STATUS_SUCCESS;
        if (part.copied != 0) std::memcpy(data, bytes.octets.data(), part.copied);
        return part.is_whole ? STATUS_SUCCESS : refuse_room(kGetData, room, part.told, "NDK-CON-DATA-01");
    });
}

NTSTATUS NdkConnector::get_local_address(PSOCKADDR address, ULONG* bytes) {
    constexpr NdkCall call{"connector", "NdkGetLocalAddress"};
    const Held lock(mutex_);
    if (named_) return give_address(call, local_, address, bytes);
    return refuse_stage(call, STATUS_CONNECTION_INVALID, "from NdkConnect or a connect event on", "NDK-CON-ADDR-01");
}

NTSTATUS NdkConnector::get_peer_address(PSOCKADDR address, ULONG* bytes) {
    constexpr NdkCall call{"connector", "NdkGetPeerAddress"};
    const Held lock(mutex_);
    if (named_) return give_address(call, peer_, address, bytes);
    return refuse_stage(call, STATUS_CONNECTION_INVALID, "from NdkConnect or a connect event on", "NDK-CON-ADDR-01");
}

NTSTATUS NdkConnector::get_path(const NdkCall& call, ConnectionPath& path) {
    return at_kernel_face(call, [&]() -> NTSTATUS {
        Ref<Connector> core;
        {
            const Held lock(mutex_);
            core = core_;
            if (!core)
                return refuse_stage(call, STATUS_CONNECTION_INVALID, "from NdkCompleteConnect or NdkAccept on",
                                    "NDK-EXT-02");
        }
        Result<ConnectionPath> taken = core->path();
        if (taken.ok()) path = taken.take();
        return to_ntstatus(taken.status());
    });
}

}  // namespace opennd
