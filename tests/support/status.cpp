// SPDX-License-Identifier: MIT
//
// Names for statuses come from the library itself; COM's own results are not statuses of Network Direct.
#include "support/status.h"

#include <opennd.h>

#include <cstdio>

namespace opennd::support {

std::string status_text(HRESULT status) {
    char code[16];
    std::snprintf(code, sizeof code, " (0x%08X)", static_cast<unsigned>(status));
    return opennd_status_name(status) + std::string(code);
}

testing::AssertionResult is(HRESULT actual, HRESULT expected) {
    if (actual == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "status is " << status_text(actual) << ", expected " << status_text(expected);
}

testing::AssertionResult is_one_of(HRESULT actual, std::initializer_list<HRESULT> expected) {
    auto failure = testing::AssertionFailure() << "status is " << status_text(actual) << ", expected one of";
    for (HRESULT candidate : expected) {
        if (actual == candidate) return testing::AssertionSuccess();
        failure << ' ' << status_text(candidate);
    }
    return failure;
}

void require(HRESULT actual, HRESULT expected, const char* what) {
    if (actual != expected) {
        throw PreparationFailed(std::string(what) + " gave " + status_text(actual) + ", needed " +
                                status_text(expected));
    }
}

}  // namespace opennd::support
