// SPDX-License-Identifier: MIT
//
// See status_table.h. Statuses that only a wrong argument has are left out: the walk passes none.
#include "faults/status_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

namespace opennd::faults {
namespace {

constexpr HRESULT kNoMemory = ND_NO_MEMORY;
constexpr HRESULT kNoResources = ND_INSUFFICIENT_RESOURCES;

const std::vector<HRESULT> kMade{ND_SUCCESS, kNoMemory, kNoResources};
const std::vector<HRESULT> kEstablished{ND_SUCCESS, ND_CONNECTION_ABORTED, ND_CONNECTION_REFUSED, ND_IO_TIMEOUT,
                                        ND_CANCELED};

const StatusRow kRows[] = {
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
    {"Send", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}},
    {"Receive", {ND_SUCCESS, ND_NO_MORE_ENTRIES}, {}},
    {"Read", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}},
    {"Write", {ND_SUCCESS, ND_CONNECTION_INVALID, ND_NO_MORE_ENTRIES}, {}},
    {"Disconnect", {ND_PENDING, ND_CONNECTION_INVALID}, {ND_SUCCESS, ND_CANCELED}},
};

const std::vector<HRESULT> kInitiated{ND_SUCCESS,        ND_CANCELED,           ND_IO_TIMEOUT,
                                      STATUS_DATA_ERROR, ND_CONNECTION_ABORTED, ND_INTERNAL_ERROR};
const std::vector<HRESULT> kReceived{ND_SUCCESS, ND_CANCELED, ND_INTERNAL_ERROR};

}  // namespace

const StatusRow& row_of(const char* method) {
    const auto* const found = std::find_if(std::begin(kRows), std::end(kRows),
                                           [&](const StatusRow& row) { return std::strcmp(row.method, method) == 0; });
    if (found == std::end(kRows)) throw std::out_of_range(std::string("no row for ") + method);
    return *found;
}

const std::vector<HRESULT>& result_statuses(const char* request) {
    return std::strcmp(request, "Receive") == 0 ? kReceived : kInitiated;
}

}  // namespace opennd::faults
