// SPDX-License-Identifier: MIT
// See descriptor_limit.h.
#include "platform/descriptor/descriptor_limit.h"

#include <sys/resource.h>

namespace opennd {

std::size_t descriptor_limit() {
    constexpr std::size_t kUsual = 1024;
    rlimit limit{};
    return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<std::size_t>(limit.rlim_cur) : kUsual;
}

}  // namespace opennd
