// SPDX-License-Identifier: MIT
// A judge of SIGSEGV and SIGBUS that stands before the program's handlers of them. What the judge does not take goes on as if it were not
// there: to the program's handler, with all that the kernel told, or to the default action, with a true core dump.
#pragma once

#include <signal.h>

namespace opennd {

// A judge returns true if the fault was the library's own; the thread goes on as `context` (a ucontext_t) says now. Runs on the thread that failed, in
// the signal's handler.
using FaultJudge = bool (*)(const siginfo_t& info, void* context) noexcept;

// The judge stands before every handler that the program has set until now. One judge a process. Any thread; two system calls, nothing
// is allocated or locked. A program that sets handlers again and again gets the judge before the first 8 kinds of them, with a line of
// the log for the rest.
void stand_before_handlers(FaultJudge judge) noexcept;

}  // namespace opennd
