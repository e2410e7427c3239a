// SPDX-License-Identifier: MIT
// The names of this host's Unix sockets in the abstract namespace, as far as this network namespace goes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opennd {

// Those of listening sockets that begin with `prefix`, in no order. Empty if the kernel does not tell.
std::vector<std::string> local_names(std::string_view prefix);

}  // namespace opennd
