// SPDX-License-Identifier: MIT
// The tables of functions that NDK objects point to, the same for every version. dispatch.cpp fills them member by
// member; each object's file documents its functions. Objects take the tables from process_dispatch.h.
#pragma once

#include "ndkpi.h"

namespace opennd {

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

}  // namespace opennd
