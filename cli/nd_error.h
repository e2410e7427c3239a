// SPDX-License-Identifier: MIT
//
// NdError: a Network Direct call failed. Its text says what was attempted, on which object, the status and a remedy.
#pragma once

#include <opennd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace nd {

class NdError : public std::runtime_error {
public:
    // attempted completes "cannot ..."; call names the method, with the object if there are several of its kind.
    NdError(HRESULT status, std::string_view attempted, std::string_view call);

    HRESULT status() const { return status_; }

private:
    HRESULT status_;
};

// Throws NdError unless status is ND_SUCCESS. For calls that complete inline or have been waited for.
inline void check(HRESULT status, std::string_view attempted, std::string_view call) {
    if (status != ND_SUCCESS) [[unlikely]]
        throw NdError(status, attempted, call);
}

// "ND_CANCELED (0xC0000120)"
std::string describe_status(HRESULT status);

}  // namespace nd
