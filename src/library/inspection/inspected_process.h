// SPDX-License-Identifier: MIT
// Asks other processes what they do (inspection_socket.h).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "library/inspection/inspection_socket.h"

namespace opennd {

// The processes that answer, in the order of their numbers. Those of other users too, which then refuse.
std::vector<pid_t> inspected_processes();

// The answer of one, which waits for it for some seconds.
//   connection_refused  no such process has an open adapter, or it answers nobody
//   access_violation    it is another user's
//   timed_out           it does not answer: it is stopped, or busy
//   invalid_parameter   the answer is not one
//   no_memory, insufficient_resources
Result<std::string> ask_process(pid_t process, Question question);

}  // namespace opennd
