// SPDX-License-Identifier: MIT
// Settings of the environment: the one place that reads it.
#pragma once

namespace opennd {

// What the environment says for `variable`, or null. A program that runs with rights which its caller lacks (set-uid, file
// capabilities) takes none: the caller wrote the environment. Valid until the environment changes.
const char* setting(const char* variable);

}  // namespace opennd
