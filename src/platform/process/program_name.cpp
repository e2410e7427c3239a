// SPDX-License-Identifier: MIT
// See program_name.h.
#include "platform/process/program_name.h"

#include <cerrno>

namespace opennd {

const char* program_name() { return program_invocation_short_name; }

}  // namespace opennd
