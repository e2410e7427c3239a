// SPDX-License-Identifier: MIT
// The transport of RDMA hardware, where this library was built with it.
#pragma once

#include <memory>

#include "platform/thread/event_loop.h"
#include "transport/hardware_transport.h"

namespace opennd {

// Null: it was built without (OPENND_VERBS of CMake). `loop` outlives it.
std::unique_ptr<HardwareTransport> make_hardware(EventLoop& loop);

}  // namespace opennd
