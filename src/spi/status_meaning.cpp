// SPDX-License-Identifier: MIT
// See status_meaning.h. One row for each status that a result or an unexplained call can have.
#include "spi/status_meaning.h"

#include <algorithm>
#include <iterator>

#include "spi/explanation.h"
#include "spi/status_name.h"

namespace opennd {
namespace {

struct Meaning {
    HRESULT status;
    std::string_view limit;
    std::string_view remedy;
    std::string_view requirement;
};

constexpr std::string_view kSeeLog = "; OPENND_LOG=warn shows the cause where it was found";

constexpr Meaning kMeanings[] = {
    {ND_CANCELED, "requests of a queue pair that has failed, been flushed or lost its connection are given back",
     "look at the first result that is not ND_CANCELED, at either side", "ND2-QP-FLUSH-01"},
    {ND_ACCESS_VIOLATION,
     "memory that is registered, with the right the request needs, from its first to its last byte",
     "check token, range and rights of the local entries and of the remote address", "ND2-QP-RDMA-03"},
    {ND_DATA_OVERRUN, "a message fits the receive that was posted for it",
     "post receives as long as the longest message", "ND2-QP-SEND-07"},
    {STATUS_DATA_ERROR, "the peer's receive takes the whole message and its memory can be written",
     "let the peer post longer receives over memory with ND_MR_FLAG_ALLOW_LOCAL_WRITE", "ND2-QP-SEND-07"},
    {ND_IO_TIMEOUT, "the peer answers, and has a receive posted, in time",
     "post receives before the peer sends, and check that it still runs", "ND2-QP-SEND-05"},
    {ND_INVALID_DEVICE_REQUEST, "a request that can be carried out as asked",
     "give Read a nonzero read limit at both sides; invalidate only a bound window", "ND2-QP-READ-03"},
    {ND_CONNECTION_REFUSED, "a listener at that address that has room and does not reject",
     "start the listener first, compare the ports, listen with a larger backlog", "ND2-CON-CONN-05"},
    {ND_CONNECTION_ABORTED, "both sides see the connection through", "connect again with new objects",
     "ND2-CON-ACC-03"},
    {ND_NETWORK_UNREACHABLE, "an address that one of the chosen transports reaches",
     "ask `nd info --peer ADDRESS`, or choose other transports (OPENND_TRANSPORT)", "ND2-CON-CONN-05"},
    {STATUS_BAD_NETWORK_NAME, "an address other than 0.0.0.0 and ::", "name the peer's address", "ND2-CON-CONN-05"},
    {ND_ADDRESS_ALREADY_EXISTS, "one connection for each pair of addresses and ports",
     "bind the connector to port 0 or to another port", "ND2-CON-BIND-04"},
    {STATUS_CONNECTION_DISCONNECTED, "NotifyDisconnect tells of every end, also of this side's",
     "nothing: this side called Disconnect", "ND2-CON-NTF-01"},
    {ND_BUFFER_OVERFLOW, "a completion queue with room for every result",
     "create it as deep as all queues of its queue pairs together", "ND2-CQ-OVR-01"},
    {ND_NO_MEMORY, "memory that the system still has", "use smaller depths and sizes, or free some", "ND2-GEN-02"},
    {ND_INSUFFICIENT_RESOURCES, "descriptors, threads and table slots that are free",
     "raise the limit on open files (ulimit -n), or release objects", "ND2-GEN-02"},
    {ND_INTERNAL_ERROR, "no fault in OpenND or below it", "report it with the log of OPENND_LOG=debug", "ND2-GEN-02"},
};

constexpr Meaning kUnknown = {0, "the method's comment in the headers", "ask `nd explain` about the status",
                              "ND2-GEN-02"};

const Meaning& meaning_of(HRESULT status) {
    const auto* const found = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                           [&](const Meaning& meaning) { return meaning.status == status; });
    return found != std::end(kMeanings) ? *found : kUnknown;
}

}  // namespace

HRESULT explain_by_status(HRESULT status) noexcept {
    const Meaning& meaning = meaning_of(status);
    return explain(status, {.object = "OpenND",
                            .operation = "call",
                            .asked = "what this call asked for",
                            .limit = meaning.limit,
                            .remedy = meaning.remedy,
                            .requirement = meaning.requirement});
}

HRESULT explain_exception(const char* what) noexcept {
    return explain(ND_INTERNAL_ERROR, {.object = "OpenND",
                                       .operation = "call",
                                       .asked = what,
                                       .limit = "no exception reaches the interface",
                                       .remedy = "report it: this is a fault of OpenND",
                                       .requirement = "ND2-GEN-02",
                                       .level = LogLevel::error});
}

void remember_result(HRESULT status, std::string_view object, std::string_view operation) noexcept {
    const Meaning& meaning = meaning_of(status);
    remember({status, status_name(status)}, {.object = object,
                                             .operation = operation,
                                             .asked = phrase("the result of {}", operation),
                                             .limit = meaning.limit,
                                             .remedy = phrase("{}{}", meaning.remedy, kSeeLog),
                                             .requirement = meaning.requirement});
}

}  // namespace opennd
