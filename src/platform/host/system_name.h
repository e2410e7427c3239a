// SPDX-License-Identifier: MIT
// The name and the release of this host's system: "Linux 6.1.0-18-amd64".
#pragma once

#include <string>

namespace opennd {

std::string system_name();

}  // namespace opennd
