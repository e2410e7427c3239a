// SPDX-License-Identifier: MIT
//
// NDKPI: the tables of each function, inline and by callback. Close cancels pending requests (NDK-GEN-03).
#include <opennd_ndk.h>

#include "faults/status_table.h"

namespace opennd::faults {
namespace {

constexpr std::int32_t kNoResources = STATUS_INSUFFICIENT_RESOURCES;

// NDK-ADP-CREATE-01; software makes every object at once (NDK-GEN-04).
const Statuses kMade{STATUS_SUCCESS, kNoResources};
const Statuses kPosted{STATUS_SUCCESS, STATUS_CONNECTION_INVALID, kNoResources};
const Statuses kClosed{STATUS_SUCCESS, STATUS_PENDING};

// What a result of any initiated request may say, and of any receive.
const Statuses kInitiated{STATUS_SUCCESS, STATUS_CANCELLED, STATUS_IO_TIMEOUT, STATUS_REMOTE_RESOURCES,
                          STATUS_INTERNAL_ERROR};
const Statuses kReceived{STATUS_SUCCESS, STATUS_CANCELLED, STATUS_INTERNAL_ERROR};

const StatusTable kTable{{
    {"opennd_ndk_open_adapter_by_address",
     {STATUS_SUCCESS, NDIS_STATUS_ADAPTER_NOT_FOUND, NDIS_STATUS_ADAPTER_NOT_READY, kNoResources}},
    {"NdkCreatePd", kMade},
    {"NdkCreateCq", kMade},
    {"NdkCreateMr", kMade},
    {"NdkCreateQp", kMade},
    {"NdkCreateConnector", kMade},
    {"NdkCreateListener", kMade},
    {"NdkRegisterMr", {STATUS_SUCCESS, STATUS_PENDING, kNoResources}, {STATUS_SUCCESS, kNoResources}},
    {"NdkDeregisterMr", kClosed, {STATUS_SUCCESS}},
    {"NdkListen",
     {STATUS_SUCCESS, STATUS_PENDING, STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES,
      kNoResources},
     {STATUS_SUCCESS, STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES, kNoResources}},
    {"NdkConnect",
     {STATUS_SUCCESS, STATUS_PENDING, STATUS_CONNECTION_REFUSED, STATUS_NETWORK_UNREACHABLE, STATUS_HOST_UNREACHABLE,
      STATUS_IO_TIMEOUT, STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES,
      STATUS_ADDRESS_ALREADY_EXISTS, kNoResources},
     {STATUS_SUCCESS, STATUS_CONNECTION_REFUSED, STATUS_NETWORK_UNREACHABLE, STATUS_HOST_UNREACHABLE, STATUS_IO_TIMEOUT,
      STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES, STATUS_ADDRESS_ALREADY_EXISTS,
      STATUS_CANCELLED, kNoResources}},
    {"NdkAccept",
     {STATUS_SUCCESS, STATUS_PENDING, STATUS_CONNECTION_ABORTED, STATUS_IO_TIMEOUT, STATUS_CONNECTION_INVALID,
      kNoResources},
     {STATUS_SUCCESS, STATUS_CONNECTION_ABORTED, STATUS_IO_TIMEOUT, STATUS_CANCELLED}},
    {"NdkCompleteConnect",
     {STATUS_SUCCESS, STATUS_PENDING, STATUS_CONNECTION_INVALID, STATUS_CONNECTION_ABORTED, STATUS_IO_TIMEOUT},
     {STATUS_SUCCESS, STATUS_CONNECTION_INVALID, STATUS_CONNECTION_ABORTED, STATUS_IO_TIMEOUT, STATUS_CANCELLED}},
    {"NdkDisconnect",
     {STATUS_SUCCESS, STATUS_PENDING, STATUS_IO_TIMEOUT, STATUS_CONNECTION_INVALID},
     {STATUS_SUCCESS, STATUS_IO_TIMEOUT, STATUS_CONNECTION_ABORTED, STATUS_CANCELLED}},
    {"NdkArmCq", {}, {STATUS_SUCCESS, STATUS_BUFFER_OVERFLOW, STATUS_INTERNAL_ERROR}},
    {"NdkReceive", {STATUS_SUCCESS, kNoResources}, {}, kReceived},
    {"NdkSend", kPosted, {}, kInitiated},
    {"NdkWrite", kPosted, {}, kInitiated},
    {"NdkRead", kPosted, {}, kInitiated},
    {"close", kClosed, {STATUS_SUCCESS}},
}};

}  // namespace

const StatusTable& ndk_statuses() { return kTable; }

}  // namespace opennd::faults
