// SPDX-License-Identifier: MIT
// See setting.h.
#include "base/setting.h"

#include <cstdlib>

namespace opennd {

const char* setting(const char* variable) { return ::secure_getenv(variable); }

}  // namespace opennd
