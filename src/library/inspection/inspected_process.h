// SPDX-License-Identifier: MIT
// Asks other processes what they do (inspection_socket.h).
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "library/inspection/file_desk.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"

namespace opennd {

// The processes that answer, in the order of their numbers. Those of other users too, which then refuse.
std::vector<pid_t> inspected_processes();

// The answer of one, which waits for it for some seconds: one JSON object, within the bounds of checked_answer.h; its `pid` and `user`
// are the kernel's word.
//   connection_refused  no such process has an open adapter, or it answers nobody
//   access_violation    this process may not trace it, or it answers others
//   timed_out           it does not answer: it is stopped, or busy; or too many others have long answers at present
//   invalid_parameter   the answer is not one
//   no_memory, insufficient_resources
Result<std::string> ask_process(pid_t process, Question question);

// A capture that another process makes for this one, into files that this one opens, until it is ended or this object goes. Move-only.
class ForeignCapture {
public:
    // `options` as capture_request.h has them; `answer` says whether it began. Statuses as ask_process; disconnected:
    // the process knows no captures.
    static Result<ForeignCapture> begin(pid_t process, std::string_view options, std::string& answer);
    // The counts. disconnected: it never began, or the process has ended, or closed its adapters.
    Result<std::string> end();

private:
    explicit ForeignCapture(pid_t process) : process_(process) {}
    Result<std::string> answer();

    pid_t process_;
    std::unique_ptr<FileDesk> desk_;  // null: it never began
    LocalSocket socket_;
};

}  // namespace opennd
