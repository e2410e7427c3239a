// SPDX-License-Identifier: MIT
// See hardware.h.
#include "library/hardware.h"

namespace opennd {

std::unique_ptr<HardwareTransport> make_hardware(EventLoop&) { return nullptr; }

}  // namespace opennd
