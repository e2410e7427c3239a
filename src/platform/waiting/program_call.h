// SPDX-License-Identifier: MIT
// A call of the program, which holds no lock of OpenND at its end: what it would leave to the service thread its thread does at the end,
// so that no other thread is woken for it.
#pragma once

#include "platform/thread/event_loop.h"

namespace opennd {

using ProgramCall = EventLoop::RunsItsPosts;

}  // namespace opennd
