// SPDX-License-Identifier: MIT
//
// Version 1. Where a method does not list ND_NO_MEMORY, memory that is missing is ND_INSUFFICIENT_RESOURCES (ND1-GEN-13). The
// statuses of overlapped methods inline are SUCCEEDED or FAILED, never ND_TIMEOUT (ND1-GEN-02); ND_IO_TIMEOUT is of version 2.
#include <ndspi.h>

#include "faults/status_table.h"

namespace opennd::faults {
namespace {

constexpr std::int32_t kNoMemory = ND_NO_MEMORY;
constexpr std::int32_t kFailure = ND_INTERNAL_ERROR;  // ND_FAILURE (table 2.7)
constexpr std::int32_t kNoResources = ND_INSUFFICIENT_RESOURCES;

const Statuses kMade{ND_SUCCESS, kNoMemory, kNoResources};
const Statuses kPosted{ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES};

// Table 2.8.
const Statuses kInitiated{ND_SUCCESS, ND_CANCELED, kFailure, ND_TIMEOUT, ND_REMOTE_ERROR};
const Statuses kBound{ND_SUCCESS, ND_CANCELED, kFailure};

const StatusTable kTable{{
    {"NdOpenV1Adapter", {ND_SUCCESS, ND_INVALID_ADDRESS, kNoMemory, kNoResources}},
    {"CreateCompletionQueue", kMade},
    {"CreateMemoryWindow", {ND_SUCCESS, kNoResources}},
    {"CreateConnector", kMade},
    {"CreateEndpoint", kMade},
    {"RegisterMemory",
     {ND_SUCCESS, ND_PENDING, ND_ACCESS_VIOLATION, kNoResources},
     {ND_SUCCESS, ND_ACCESS_VIOLATION, kNoResources}},
    {"DeregisterMemory", {ND_SUCCESS, ND_PENDING}, {ND_SUCCESS}},
    {"Listen", {ND_SUCCESS, ND_ADDRESS_ALREADY_EXISTS, kNoResources}},
    {"GetConnectionRequest", {ND_SUCCESS, ND_PENDING, kNoResources}, {ND_SUCCESS, ND_CANCELED}},
    {"Connect",
     {ND_SUCCESS, ND_PENDING, ND_NETWORK_UNREACHABLE, ND_HOST_UNREACHABLE, ND_ADDRESS_ALREADY_EXISTS, kNoResources},
     {ND_SUCCESS, ND_CONNECTION_REFUSED, ND_TIMEOUT, ND_NETWORK_UNREACHABLE, ND_HOST_UNREACHABLE,
      ND_ADDRESS_ALREADY_EXISTS, ND_CANCELED, kNoResources}},
    {"Accept",
     {ND_SUCCESS, ND_PENDING, ND_CONNECTION_ABORTED, kNoResources},
     {ND_SUCCESS, ND_CONNECTION_ABORTED, ND_TIMEOUT, ND_CANCELED}},
    {"CompleteConnect",
     {ND_SUCCESS, ND_PENDING, ND_CONNECTION_INVALID, ND_CONNECTION_ABORTED},
     {ND_SUCCESS, ND_CONNECTION_ABORTED, ND_CANCELED}},
    {"NotifyDisconnect", {ND_SUCCESS, ND_PENDING, ND_CONNECTION_INVALID, kNoResources}, {ND_SUCCESS, ND_CANCELED}},
    {"Disconnect", {ND_SUCCESS, ND_PENDING, ND_CONNECTION_INVALID}, {ND_SUCCESS, ND_CANCELED}},
    {"Notify",
     {ND_SUCCESS, ND_PENDING, ND_BUFFER_OVERFLOW, kFailure, kNoResources},
     {ND_SUCCESS, ND_CANCELED, ND_BUFFER_OVERFLOW, kFailure}},
    {"Receive", {ND_SUCCESS, ND_NO_MORE_ENTRIES}, {}, kInitiated},
    {"Send", kPosted, {}, kInitiated},
    {"Write", kPosted, {}, kInitiated},
    {"Read", kPosted, {}, kInitiated},
    {"Bind", kPosted, {}, kBound},
    {"Invalidate", kPosted, {}, kBound},
}};

}  // namespace

const StatusTable& nd1_statuses() { return kTable; }

}  // namespace opennd::faults
