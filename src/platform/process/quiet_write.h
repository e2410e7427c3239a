// SPDX-License-Identifier: MIT
// Writes that fail without a signal to the program.
#pragma once

#include <signal.h>

namespace opennd {

// While it lives, a write of this thread beyond the limit on the size of files (SIGXFSZ), or to a pipe that nobody reads (SIGPIPE), ends
// no process: the error of the call says the same. A signal that was pending before stays. errno is preserved.
class QuietWrite {
public:
    QuietWrite() noexcept;
    ~QuietWrite();
    QuietWrite(const QuietWrite&) = delete;
    QuietWrite& operator=(const QuietWrite&) = delete;

private:
    sigset_t before_, pending_;
};

}  // namespace opennd
