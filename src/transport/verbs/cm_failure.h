// SPDX-License-Identifier: MIT
// Failures of rdma_cm in OpenND's words: an errno of a call, or an event that says why there is no connection.
#pragma once

#include <string_view>

#include "base/explanation.h"
#include "base/status.h"
#include "transport/verbs/cm_event.h"

namespace opennd::verbs {

// A call failed with `error`: its status, explained. `operation` names the call, `asked` its subject.
[[gnu::cold]] Status explain_cm_failure(int error, std::string_view operation, std::string_view object,
                                        std::string_view asked) noexcept;
// The same for a request of the program that was accepted before (base/explanation.h).
[[gnu::cold]] Status report_cm_failure(int error, std::string_view operation, std::string_view object,
                                       std::string_view asked) noexcept;

// The status of a failed Connect, for ConnectorSink::on_connect_failed, reported. `asked` names the peer.
[[gnu::cold]] Status report_connect_failure(const CmEvent& event, std::string_view asked) noexcept;
[[gnu::cold]] Status report_connect_failure(int error, std::string_view asked) noexcept;
// A peer refused the connection on purpose: its private data are its program's.
bool refused_by_program(const CmEvent& event);

}  // namespace opennd::verbs
