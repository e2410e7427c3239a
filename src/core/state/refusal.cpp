// SPDX-License-Identifier: MIT
// See refusal.h. One row for each method: what it is called, when it may be, and what to do instead.
#include "core/state/refusal.h"

#include <array>

namespace opennd {
namespace {

constexpr std::array<MethodRule, kConnectorMethods> kConnectorRules{{
    {"Bind", "while idle, once", "use the address it has, or another connector", "ND2-CON-BIND-02"},
    {"Connect", "while bound, with no connection made or under way", "call Bind first; use a new connector afterwards",
     "ND2-CON-CONN-01"},
    {"CompleteConnect", "while replied, after Connect has completed with ND_SUCCESS", "wait for the result of Connect",
     "ND2-CON-CMPL-01"},
    {"Accept", "while requested, after GetConnectionRequest has completed with ND_SUCCESS",
     "wait for the result of GetConnectionRequest; answer each request once", "ND2-CON-ACC-01"},
    {"Reject", "while requested, or replied", "answer each request once, with Accept or Reject", "ND2-CON-REJ-01"},
    {"GetReadLimits", "from request or reply to the end of the connection", "wait until the other side has spoken",
     "ND2-CON-STATE-01"},
    {"GetPrivateData", "from request or reply to the end of the connection, or after a rejection that brought data",
     "wait until the other side has spoken", "ND2-CON-STATE-01"},
    {"GetLocalAddress", "from Bind or an assigned request on", "call Bind first", "ND2-CON-STATE-01"},
    {"GetPeerAddress", "from Connect or an assigned request on", "call it once a peer is named", "ND2-CON-STATE-01"},
    {"NotifyDisconnect", "from CompleteConnect or Accept on", "call it once the connection is being completed",
     "ND2-CON-NTF-04"},
    {"Disconnect", "from CompleteConnect or Accept on, once", "release a connector that never connected",
     "ND2-CON-DISC-01"},
    {"GetConnectionRequest", "with an idle connector", "create a connector for each request", "ND2-LIS-REQ-02"},
}};

}  // namespace

CheckRule misuse_of(ConnectorMethod method, ConnectorState state, ConnectorHistory history) {
    if (history.abandoned) return CheckRule::none;  // the peer's doing
    // A clean-up disconnects whatever it has.
    if (history.rejected) return method == ConnectorMethod::disconnect ? CheckRule::none : CheckRule::after_reject;
    if (method == ConnectorMethod::get_connection_request) return CheckRule::second_request;
    if (method != ConnectorMethod::get_private_data) return CheckRule::none;
    // Only by asking does a program learn whether a refusal brought data.
    const bool after_failure =
        state == ConnectorState::bound || state == ConnectorState::idle || state == ConnectorState::done;
    return after_failure && history.named_peer && !history.was_connected ? CheckRule::none : CheckRule::private_data;
}

Status refuse(ConnectorMethod method, ConnectorState state, Status status, ConnectorHistory history) {
    const std::string_view addition =
        status == Status::connection_aborted ? ", and the peer has taken its request back" : "";
    return refuse("connector", kConnectorRules[static_cast<std::size_t>(method)],
                  phrase("called while {}{}{}", name(state), history.rejected ? " after Reject" : "", addition), status,
                  misuse_of(method, state, history));
}

}  // namespace opennd
