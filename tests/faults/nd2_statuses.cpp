// SPDX-License-Identifier: MIT
//
// Version 2: the statuses of each method. A method that takes memory may give ND_NO_MEMORY and
// ND_INSUFFICIENT_RESOURCES.
#include <ndspi.h>

#include "faults/status_table.h"

namespace opennd::faults {
namespace {

constexpr std::int32_t kNoMemory = ND_NO_MEMORY;
constexpr std::int32_t kNoResources = ND_INSUFFICIENT_RESOURCES;

const Statuses kMade{ND_SUCCESS, kNoMemory, kNoResources};
const Statuses kEstablished{ND_SUCCESS, ND_CONNECTION_ABORTED, ND_CONNECTION_REFUSED, ND_IO_TIMEOUT, ND_CANCELED};

const Statuses kInitiated{ND_SUCCESS,        ND_CANCELED,           ND_IO_TIMEOUT,
                          STATUS_DATA_ERROR, ND_CONNECTION_ABORTED, ND_INTERNAL_ERROR};
const Statuses kReceived{ND_SUCCESS, ND_CANCELED, ND_INTERNAL_ERROR};

const StatusTable kTable{{
    {"NdOpenAdapter", {ND_SUCCESS, ND_INVALID_ADDRESS, kNoMemory, kNoResources}, {}},
    {"CreateOverlappedFile", kMade, {}},
    {"CreateCompletionQueue", kMade, {}},
    {"CreateMemoryRegion", kMade, {}},
    {"CreateQueuePair", kMade, {}},
    {"CreateConnector", kMade, {}},
    {"CreateListener", kMade, {}},
    {"Register",
     {ND_PENDING, ND_ACCESS_VIOLATION, kNoMemory, kNoResources},
     {ND_SUCCESS, ND_ACCESS_VIOLATION, kNoMemory, kNoResources}},
    {"Deregister", {ND_PENDING}, {ND_SUCCESS}},
    {"IND2Listener::Bind",
     {ND_SUCCESS, ND_INVALID_ADDRESS, ND_SHARING_VIOLATION, ND_TOO_MANY_ADDRESSES, kNoMemory, kNoResources},
     {}},
    {"Listen", kMade, {}},
    {"GetConnectionRequest", {ND_PENDING, kNoMemory, kNoResources}, {ND_SUCCESS, ND_CANCELED}},
    {"IND2Connector::Bind", {ND_SUCCESS, ND_INVALID_ADDRESS, ND_TOO_MANY_ADDRESSES, kNoMemory, kNoResources}, {}},
    {"Connect",
     {ND_PENDING, kNoMemory, kNoResources},
     {ND_SUCCESS, ND_CONNECTION_REFUSED, ND_IO_TIMEOUT, ND_NETWORK_UNREACHABLE, ND_HOST_UNREACHABLE,
      ND_ADDRESS_ALREADY_EXISTS, ND_CANCELED, ND_CONNECTION_ABORTED, kNoMemory, kNoResources}},
    {"Accept", {ND_PENDING, ND_CONNECTION_INVALID, kNoMemory, kNoResources}, kEstablished},
    {"CompleteConnect",
     {ND_PENDING, ND_CONNECTION_INVALID},
     {ND_SUCCESS, ND_CONNECTION_ABORTED, ND_IO_TIMEOUT, ND_CANCELED}},
    {"IND2CompletionQueue::Notify",
     {ND_PENDING, ND_BUFFER_OVERFLOW, ND_INTERNAL_ERROR, kNoMemory, kNoResources},
     {ND_SUCCESS, ND_CANCELED, ND_BUFFER_OVERFLOW, ND_INTERNAL_ERROR}},
    {"Send", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}, kInitiated},
    {"Receive", {ND_SUCCESS, ND_NO_MORE_ENTRIES}, {}, kReceived},
    {"Read", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}, kInitiated},
    {"Write", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}, kInitiated},
    {"Disconnect", {ND_PENDING, ND_CONNECTION_INVALID}, {ND_SUCCESS, ND_CANCELED}},
}};

}  // namespace

const StatusTable& nd2_statuses() { return kTable; }

}  // namespace opennd::faults
