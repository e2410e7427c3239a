// SPDX-License-Identifier: MIT
//
// The texts of NdError. Read nd_error.h first.
#include "nd_error.h"

#include <cstdint>
#include <cstdio>

namespace nd {
namespace {

struct Hint {
    HRESULT status;
    const char* text;
};

const Hint kHints[] = {
    {ND_CONNECTION_REFUSED,
     "nobody listens at that address and port, or so many wait there that it takes no more; start "
     "the server with --server, at an address that `nd info` lists, and compare the ports"},
    {ND_SHARING_VIOLATION, "another listener has this port; choose one with -p, or end the other server"},
    {ND_INVALID_ADDRESS, "no adapter has this address; `nd info` lists the addresses of this host"},
    {ND_NETWORK_UNREACHABLE,
     "no route, or none of the chosen transports reaches the peer; `nd doctor ADDRESS` tells "
     "which, --transport and OPENND_TRANSPORT choose; a link-local address needs the scope of the adapter's link "
     "(fe80::1%eth0)"},
    {ND_HOST_UNREACHABLE, "the host did not answer; check the address and the firewall"},
    {ND_IO_TIMEOUT, "the peer did not answer or posted no receive in time; is it still running?"},
    {ND_TIMEOUT, "the peer did not answer or posted no receive in time; is it still running?"},
    {ND_CANCELED,
     "the connection ended, or another request of this queue pair failed first; the other side may have "
     "said why; OPENND_LOG=warn shows the reason"},
    {ND_CONNECTION_ABORTED, "the peer gave up while the connection was made"},
    {ND_CONNECTION_INVALID, "the connection is not established or has ended"},
    {ND_ACCESS_VIOLATION, "memory, token or rights do not cover the access; OPENND_LOG=warn names the region"},
    {ND_NO_MORE_ENTRIES, "the queue is full; use a smaller -t"},
    {ND_DATA_OVERRUN, "the message is longer than the receive posted for it"},
    {ND_BUFFER_OVERFLOW, "a size is above a limit of the adapter, see `nd info`"},
    {ND_INVALID_PARAMETER, "see `nd info` for names and limits"},
    {ND_INVALID_PARAMETER_5, "the receive depth is above MaxReceiveQueueDepth, see `nd info`; use a smaller -r or -t"},
    {ND_INVALID_PARAMETER_6, "the depth is above MaxInitiatorQueueDepth, see `nd info`; use a smaller -t"},
    {ND_INVALID_PARAMETER_9, "the inline size is above MaxInlineDataSize, see `nd info`; use a smaller -I"},
    {ND_INVALID_PARAMETER_3,
     "the completion queue would be deeper than MaxCompletionQueueDepth, see `nd info`; use a "
     "smaller -q or -t"},
    {ND_NO_MEMORY, "use a smaller -s, -t or -q"},
    {ND_INSUFFICIENT_RESOURCES, "use a smaller -s, -t or -q, or raise the limit of open files (ulimit -n)"},
    {ND_NOT_SUPPORTED, "this transport lacks the feature; another one may have it, see --transport"},
};

// The library knows which feature is lacking, and why. Empty: this thread's last failure is another one.
std::string hint_of_library(HRESULT status) {
    opennd_error error{};
    error.bytes = sizeof error;
    if (FAILED(opennd_last_error(&error)) || error.status != status) return {};
    return std::string(error.limit) + "; " + error.remedy;
}

std::string hint_for(HRESULT status) {
    if (status == ND_NOT_SUPPORTED)
        if (std::string told = hint_of_library(status); !told.empty()) return told;
    for (const Hint& hint : kHints)
        if (hint.status == status) return hint.text;
    return "OPENND_LOG=warn shows the cause as the library knows it";
}

std::string compose(HRESULT status, std::string_view attempted, std::string_view call) {
    std::string text = "cannot ";
    text += attempted;
    text += ": ";
    text += call;
    text += ": ";
    text += describe_status(status);
    text += "\n  hint: ";
    text += hint_for(status);
    return text;
}

}  // namespace

NdError::NdError(HRESULT status, std::string_view attempted, std::string_view call)
    : std::runtime_error(compose(status, attempted, call)), status_(status) {}

std::string describe_status(HRESULT status) {
    char value[16];
    std::snprintf(value, sizeof value, "0x%08X", static_cast<std::uint32_t>(status));
    return std::string(opennd_status_name(status)) + " (" + value + ")";
}

}  // namespace nd
