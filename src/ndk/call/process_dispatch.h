// SPDX-License-Identifier: MIT
// The tables that objects of this process point to. A child of fork gets new ones, and those it inherits then refuse: by
// its table an object is known to be the parent's, at no cost to the others (NDK-GEN-18).
#pragma once

#include "ndkpi.h"

namespace opennd {

// The tables of functions, which every version of the interface shares. dispatch.cpp fills them member by member; each object's file documents its functions.
struct DispatchTables {
    NDK_ADAPTER_DISPATCH adapter;
    NDK_PD_DISPATCH domain;
    NDK_CQ_DISPATCH completion_queue;
    NDK_QP_DISPATCH queue_pair;
    NDK_SRQ_DISPATCH shared_receive_queue;
    NDK_MR_DISPATCH region;
    NDK_MW_DISPATCH window;
    NDK_SHARED_ENDPOINT_DISPATCH shared_endpoint;
    NDK_CONNECTOR_DISPATCH connector;
    NDK_LISTENER_DISPATCH listener;
};

// The tables of this process's own objects.
extern const DispatchTables kDispatch;

// Any thread; valid as long as the process. Throws std::bad_alloc.
const DispatchTables& dispatch();

// STATUS_DEVICE_REMOVED, explained.
NTSTATUS refuse_inherited() noexcept;

}  // namespace opennd
