// SPDX-License-Identifier: MIT
// Settings of the environment: the one place that reads it.
#pragma once

namespace opennd {

// The environment's value of `variable`, or null. A program with more rights than its caller (set-uid, file
// capabilities) takes none: the caller wrote the environment. Valid until the environment changes.
const char* setting(const char* variable);

}  // namespace opennd
