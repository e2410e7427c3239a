// SPDX-License-Identifier: MIT
//
// Statuses in assertions: EXPECT_TRUE(is(queue->Notify(...), ND_PENDING)) explains itself with both names on failure.
#pragma once

#include <gtest/gtest.h>
#include <ndspi.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace opennd::support {

// "ND_CANCELED (0xC0000120)"
std::string status_text(HRESULT status);

testing::AssertionResult is(HRESULT actual, HRESULT expected);
testing::AssertionResult is_one_of(HRESULT actual, std::initializer_list<HRESULT> expected);

// Preparation of a test failed, so that the test could not say anything: thrown, and reported as a failure.
class PreparationFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void require(HRESULT actual, HRESULT expected, const char* what);

}  // namespace opennd::support
