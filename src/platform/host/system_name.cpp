// SPDX-License-Identifier: MIT
// See system_name.h.
#include "platform/host/system_name.h"

#include <sys/utsname.h>

#include "base/format.h"

namespace opennd {

std::string system_name() {
    utsname names{};
    return ::uname(&names) == 0 ? format("{} {}", names.sysname, names.release) : std::string("Linux");
}

}  // namespace opennd
