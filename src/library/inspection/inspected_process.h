// SPDX-License-Identifier: MIT
// Asks other processes what they do (inspection_socket.h).
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"

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

// A capture that another process makes for this one, until it is ended or this object goes. Move-only.
class ForeignCapture {
public:
    // `options` as capture_request.h has them; `answer` says whether it began. Statuses as ask_process; disconnected:
    // the process knows no captures.
    static Result<ForeignCapture> begin(pid_t process, std::string_view options, std::string& answer);
    // The counts. disconnected: the process has ended, or closed its adapters.
    Result<std::string> end();

private:
    explicit ForeignCapture(LocalSocket socket) : socket_(std::move(socket)) {}

    LocalSocket socket_;
};

}  // namespace opennd
