// SPDX-License-Identifier: MIT
//
// Which statuses each method of version 2 may give, inline and through its OVERLAPPED: the summary of the specification. What
// stands there as "mem" is ND_NO_MEMORY and ND_INSUFFICIENT_RESOURCES.
#pragma once

#include <ndspi.h>

#include <vector>

namespace opennd::faults {

struct StatusRow {
    const char* method;
    std::vector<HRESULT> at_once;
    std::vector<HRESULT> later;
};

// Fails the test if there is no such method.
const StatusRow& row_of(const char* method);

// Of completions, by the kind of request: "Send", "Receive", "Read", "Write".
const std::vector<HRESULT>& result_statuses(const char* request);

}  // namespace opennd::faults
