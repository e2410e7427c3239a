// SPDX-License-Identifier: MIT
// The guard's tables, slot by slot, and the guard of an adapter.
#include <mutex>
#include <new>
#include <unordered_map>

#include "kernel/guard.h"
#include "wdm/checking/guard_hook.h"

namespace opennd::wdm {

template <>
struct Kind<NDK_PD> {
    static constexpr const char* kName = "NDK_PD";
    static const NDK_PD_DISPATCH& table();
};
template <>
struct Kind<NDK_CQ> {
    static constexpr const char* kName = "NDK_CQ";
    static const NDK_CQ_DISPATCH& table();
};
template <>
struct Kind<NDK_QP> {
    static constexpr const char* kName = "NDK_QP";
    static const NDK_QP_DISPATCH& table();
};
template <>
struct Kind<NDK_SRQ> {
    static constexpr const char* kName = "NDK_SRQ";
    static const NDK_SRQ_DISPATCH& table();
};
template <>
struct Kind<NDK_MR> {
    static constexpr const char* kName = "NDK_MR";
    static const NDK_MR_DISPATCH& table();
};
template <>
struct Kind<NDK_MW> {
    static constexpr const char* kName = "NDK_MW";
    static const NDK_MW_DISPATCH& table();
};
template <>
struct Kind<NDK_SHARED_ENDPOINT> {
    static constexpr const char* kName = "NDK_SHARED_ENDPOINT";
    static const NDK_SHARED_ENDPOINT_DISPATCH& table();
};
template <>
struct Kind<NDK_CONNECTOR> {
    static constexpr const char* kName = "NDK_CONNECTOR";
    static const NDK_CONNECTOR_DISPATCH& table();
};
template <>
struct Kind<NDK_LISTENER> {
    static constexpr const char* kName = "NDK_LISTENER";
    static const NDK_LISTENER_DISPATCH& table();
};
template <>
struct Kind<NDK_ADAPTER> {
    static constexpr const char* kName = "NDK_ADAPTER";
    static const NDK_ADAPTER_DISPATCH& table();
};

const NDK_ADAPTER_DISPATCH& Kind<NDK_ADAPTER>::table() {
    static constexpr NDK_ADAPTER_DISPATCH kTable = {
        .NdkQueryExtension = Hook<&NDK_ADAPTER_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkQueryAdapterInfo = Hook<&NDK_ADAPTER_DISPATCH::NdkQueryAdapterInfo, "NdkQueryAdapterInfo">::call,
        .NdkCreateCq = Hook<&NDK_ADAPTER_DISPATCH::NdkCreateCq, "NdkCreateCq">::call,
        .NdkCreatePd = Hook<&NDK_ADAPTER_DISPATCH::NdkCreatePd, "NdkCreatePd">::call,
        .NdkCreateSharedEndpoint =
            Hook<&NDK_ADAPTER_DISPATCH::NdkCreateSharedEndpoint, "NdkCreateSharedEndpoint">::call,
        .NdkCreateConnector = Hook<&NDK_ADAPTER_DISPATCH::NdkCreateConnector, "NdkCreateConnector">::call,
        .NdkCreateListener = Hook<&NDK_ADAPTER_DISPATCH::NdkCreateListener, "NdkCreateListener">::call,
        .NdkBuildLAM = Hook<&NDK_ADAPTER_DISPATCH::NdkBuildLAM, "NdkBuildLAM">::call,
        .NdkReleaseLAM = Hook<&NDK_ADAPTER_DISPATCH::NdkReleaseLAM, "NdkReleaseLAM">::call,
    };
    return kTable;
}

const NDK_PD_DISPATCH& Kind<NDK_PD>::table() {
    static constexpr NDK_PD_DISPATCH kTable = {
        .NdkClosePd = Hook<&NDK_PD_DISPATCH::NdkClosePd, "NdkClosePd">::call,
        .NdkQueryExtension = Hook<&NDK_PD_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkCreateMr = Hook<&NDK_PD_DISPATCH::NdkCreateMr, "NdkCreateMr">::call,
        .NdkCreateMw = Hook<&NDK_PD_DISPATCH::NdkCreateMw, "NdkCreateMw">::call,
        .NdkCreateSrq = Hook<&NDK_PD_DISPATCH::NdkCreateSrq, "NdkCreateSrq">::call,
        .NdkCreateQp = Hook<&NDK_PD_DISPATCH::NdkCreateQp, "NdkCreateQp">::call,
        .NdkCreateQpWithSrq = Hook<&NDK_PD_DISPATCH::NdkCreateQpWithSrq, "NdkCreateQpWithSrq">::call,
        .NdkGetPrivilegedMemoryRegionToken =
            Hook<&NDK_PD_DISPATCH::NdkGetPrivilegedMemoryRegionToken, "NdkGetPrivilegedMemoryRegionToken">::call,
    };
    return kTable;
}

const NDK_CQ_DISPATCH& Kind<NDK_CQ>::table() {
    static constexpr NDK_CQ_DISPATCH kTable = {
        .NdkCloseCq = Hook<&NDK_CQ_DISPATCH::NdkCloseCq, "NdkCloseCq">::call,
        .NdkQueryExtension = Hook<&NDK_CQ_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkResizeCq = Hook<&NDK_CQ_DISPATCH::NdkResizeCq, "NdkResizeCq">::call,
        .NdkArmCq = Hook<&NDK_CQ_DISPATCH::NdkArmCq, "NdkArmCq">::call,
        .NdkGetCqResults = Hook<&NDK_CQ_DISPATCH::NdkGetCqResults, "NdkGetCqResults">::call,
        .NdkControlCqInterruptModeration =
            Hook<&NDK_CQ_DISPATCH::NdkControlCqInterruptModeration, "NdkControlCqInterruptModeration">::call,
        .NdkGetCqResultsEx = Hook<&NDK_CQ_DISPATCH::NdkGetCqResultsEx, "NdkGetCqResultsEx">::call,
    };
    return kTable;
}

const NDK_QP_DISPATCH& Kind<NDK_QP>::table() {
    static constexpr NDK_QP_DISPATCH kTable = {
        .NdkCloseQp = Hook<&NDK_QP_DISPATCH::NdkCloseQp, "NdkCloseQp">::call,
        .NdkQueryExtension = Hook<&NDK_QP_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkFlush = Hook<&NDK_QP_DISPATCH::NdkFlush, "NdkFlush">::call,
        .NdkSend = Hook<&NDK_QP_DISPATCH::NdkSend, "NdkSend">::call,
        .NdkReceive = Hook<&NDK_QP_DISPATCH::NdkReceive, "NdkReceive">::call,
        .NdkBind = Hook<&NDK_QP_DISPATCH::NdkBind, "NdkBind">::call,
        .NdkFastRegister = Hook<&NDK_QP_DISPATCH::NdkFastRegister, "NdkFastRegister">::call,
        .NdkInvalidate = Hook<&NDK_QP_DISPATCH::NdkInvalidate, "NdkInvalidate">::call,
        .NdkRead = Hook<&NDK_QP_DISPATCH::NdkRead, "NdkRead">::call,
        .NdkWrite = Hook<&NDK_QP_DISPATCH::NdkWrite, "NdkWrite">::call,
        .NdkSendAndInvalidate = Hook<&NDK_QP_DISPATCH::NdkSendAndInvalidate, "NdkSendAndInvalidate">::call,
    };
    return kTable;
}

const NDK_SRQ_DISPATCH& Kind<NDK_SRQ>::table() {
    static constexpr NDK_SRQ_DISPATCH kTable = {
        .NdkCloseSrq = Hook<&NDK_SRQ_DISPATCH::NdkCloseSrq, "NdkCloseSrq">::call,
        .NdkQueryExtension = Hook<&NDK_SRQ_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkModifySrq = Hook<&NDK_SRQ_DISPATCH::NdkModifySrq, "NdkModifySrq">::call,
        .NdkSrqReceive = Hook<&NDK_SRQ_DISPATCH::NdkSrqReceive, "NdkSrqReceive">::call,
    };
    return kTable;
}

const NDK_MR_DISPATCH& Kind<NDK_MR>::table() {
    static constexpr NDK_MR_DISPATCH kTable = {
        .NdkCloseMr = Hook<&NDK_MR_DISPATCH::NdkCloseMr, "NdkCloseMr">::call,
        .NdkQueryExtension = Hook<&NDK_MR_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkRegisterMr = Hook<&NDK_MR_DISPATCH::NdkRegisterMr, "NdkRegisterMr">::call,
        .NdkDeregisterMr = Hook<&NDK_MR_DISPATCH::NdkDeregisterMr, "NdkDeregisterMr">::call,
        .NdkInitializeFastRegisterMr =
            Hook<&NDK_MR_DISPATCH::NdkInitializeFastRegisterMr, "NdkInitializeFastRegisterMr">::call,
        .NdkGetRemoteTokenFromMr = Hook<&NDK_MR_DISPATCH::NdkGetRemoteTokenFromMr, "NdkGetRemoteTokenFromMr">::call,
        .NdkGetLocalTokenFromMr = Hook<&NDK_MR_DISPATCH::NdkGetLocalTokenFromMr, "NdkGetLocalTokenFromMr">::call,
    };
    return kTable;
}

const NDK_MW_DISPATCH& Kind<NDK_MW>::table() {
    static constexpr NDK_MW_DISPATCH kTable = {
        .NdkCloseMw = Hook<&NDK_MW_DISPATCH::NdkCloseMw, "NdkCloseMw">::call,
        .NdkQueryExtension = Hook<&NDK_MW_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkGetRemoteTokenFromMw = Hook<&NDK_MW_DISPATCH::NdkGetRemoteTokenFromMw, "NdkGetRemoteTokenFromMw">::call,
    };
    return kTable;
}

const NDK_SHARED_ENDPOINT_DISPATCH& Kind<NDK_SHARED_ENDPOINT>::table() {
    static constexpr NDK_SHARED_ENDPOINT_DISPATCH kTable = {
        .NdkCloseSharedEndpoint =
            Hook<&NDK_SHARED_ENDPOINT_DISPATCH::NdkCloseSharedEndpoint, "NdkCloseSharedEndpoint">::call,
        .NdkQueryExtension = Hook<&NDK_SHARED_ENDPOINT_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkGetLocalAddress = Hook<&NDK_SHARED_ENDPOINT_DISPATCH::NdkGetLocalAddress, "NdkGetLocalAddress">::call,
    };
    return kTable;
}

const NDK_CONNECTOR_DISPATCH& Kind<NDK_CONNECTOR>::table() {
    static constexpr NDK_CONNECTOR_DISPATCH kTable = {
        .NdkCloseConnector = Hook<&NDK_CONNECTOR_DISPATCH::NdkCloseConnector, "NdkCloseConnector">::call,
        .NdkQueryExtension = Hook<&NDK_CONNECTOR_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkConnect = Hook<&NDK_CONNECTOR_DISPATCH::NdkConnect, "NdkConnect">::call,
        .NdkConnectWithSharedEndpoint =
            Hook<&NDK_CONNECTOR_DISPATCH::NdkConnectWithSharedEndpoint, "NdkConnectWithSharedEndpoint">::call,
        .NdkCompleteConnect = Hook<&NDK_CONNECTOR_DISPATCH::NdkCompleteConnect, "NdkCompleteConnect">::call,
        .NdkAccept = Hook<&NDK_CONNECTOR_DISPATCH::NdkAccept, "NdkAccept">::call,
        .NdkReject = Hook<&NDK_CONNECTOR_DISPATCH::NdkReject, "NdkReject">::call,
        .NdkGetConnectionData = Hook<&NDK_CONNECTOR_DISPATCH::NdkGetConnectionData, "NdkGetConnectionData">::call,
        .NdkGetLocalAddress = Hook<&NDK_CONNECTOR_DISPATCH::NdkGetLocalAddress, "NdkGetLocalAddress">::call,
        .NdkGetPeerAddress = Hook<&NDK_CONNECTOR_DISPATCH::NdkGetPeerAddress, "NdkGetPeerAddress">::call,
        .NdkDisconnect = Hook<&NDK_CONNECTOR_DISPATCH::NdkDisconnect, "NdkDisconnect">::call,
        .NdkCompleteConnectEx = Hook<&NDK_CONNECTOR_DISPATCH::NdkCompleteConnectEx, "NdkCompleteConnectEx">::call,
        .NdkAcceptEx = Hook<&NDK_CONNECTOR_DISPATCH::NdkAcceptEx, "NdkAcceptEx">::call,
    };
    return kTable;
}

const NDK_LISTENER_DISPATCH& Kind<NDK_LISTENER>::table() {
    static constexpr NDK_LISTENER_DISPATCH kTable = {
        .NdkCloseListener = Hook<&NDK_LISTENER_DISPATCH::NdkCloseListener, "NdkCloseListener">::call,
        .NdkQueryExtension = Hook<&NDK_LISTENER_DISPATCH::NdkQueryExtension, "NdkQueryExtension">::call,
        .NdkListen = Hook<&NDK_LISTENER_DISPATCH::NdkListen, "NdkListen">::call,
        .NdkGetLocalAddress = Hook<&NDK_LISTENER_DISPATCH::NdkGetLocalAddress, "NdkGetLocalAddress">::call,
        .NdkControlConnectEvents =
            Hook<&NDK_LISTENER_DISPATCH::NdkControlConnectEvents, "NdkControlConnectEvents">::call,
    };
    return kTable;
}

}  // namespace opennd::wdm

using namespace opennd::wdm;

namespace {

struct Root {
    GuardedAdapter all;
    Guarded* adapter = nullptr;
};

struct Roots {
    std::mutex mutex;  // guards by_adapter
    std::unordered_map<const NDK_ADAPTER*, std::unique_ptr<Root>> by_adapter;
};

Roots& roots() {
    static auto* const instance = new Roots;  // adapters may be closed while the process ends
    return *instance;
}

}  // namespace

BOOLEAN opennd_wdm_guard_adapter(NDK_ADAPTER* Adapter) {
    try {
        auto root = std::make_unique<Root>();
        root->adapter = &root->all.make(Kind<NDK_ADAPTER>::kName, __builtin_return_address(0));
        Guarded& guarded = *root->adapter;
        {
            const std::lock_guard held(roots().mutex);
            roots().by_adapter.insert_or_assign(Adapter, std::move(root));
        }
        take(guarded, *Adapter);
        return TRUE;
    } catch (const std::bad_alloc&) {
        return FALSE;
    }
}

VOID opennd_wdm_guard_closing(NDK_ADAPTER* Adapter) {
    const std::lock_guard held(roots().mutex);
    const auto found = roots().by_adapter.find(Adapter);
    if (found != roots().by_adapter.end()) (void)found->second->adapter->begin_close();
}

VOID opennd_wdm_guard_closed(NDK_ADAPTER* Adapter) {
    const std::lock_guard held(roots().mutex);
    roots().by_adapter.erase(Adapter);
}
