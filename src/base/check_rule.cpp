// SPDX-License-Identifier: MIT
// See check_rule.h.
#include "base/check_rule.h"

#include <array>
#include <cstddef>

namespace opennd {
namespace {

constexpr auto kRows = std::to_array<CheckRuleRow>({
    {CheckRule::startup, CheckKind::misuse, "CHECK-STARTUP", "NdStartup was not called, or NdCleanup once too often.",
     "The helper functions fail until NdStartup. Programs that ignore their results fail much later, at a null "
     "adapter.",
     "Call NdStartup before all others, and NdCleanup once for each."},
    {CheckRule::peer_address, CheckKind::misuse, "CHECK-PEER-ADDRESS",
     "An address that is not this host's was taken for a local one.",
     "An adapter is opened, and a connector or listener bound, by an address of this host. The peer's address belongs "
     "to Connect.",
     "Take the local address from NdResolveAddress for the peer's address, or from NdQueryAddressList."},
    {CheckRule::second_request, CheckKind::misuse, "CHECK-SECOND-REQUEST",
     "GetConnectionRequest got a connector that has a request, waits for one, or is in use.",
     "A connector stands for one connection. The listener refuses a second one, and the program that ignores it waits "
     "for ever.",
     "Create a connector for each GetConnectionRequest."},
    {CheckRule::private_data, CheckKind::misuse, "CHECK-PRIVATE-DATA",
     "Private data were asked for before the other side has spoken, or after the end.",
     "Data exist from the request or the reply to the end of the connection, and after a Reject that brought some. "
     "Other providers answer at other moments with nothing, or with data of a connection before.",
     "Call GetPrivateData (version 1: GetConnectionData) after GetConnectionRequest or Connect has completed."},
    {CheckRule::limits_after_accept, CheckKind::misuse, "CHECK-LIMITS-AFTER-ACCEPT",
     "GetReadLimits was called after Accept.",
     "Before Accept it tells the peer's offer, afterwards the limits in force, and only OpenND promises the latter. A "
     "program that passes the answer to Accept must ask before.",
     "Call GetReadLimits between GetConnectionRequest and Accept, and keep the values that Accept is given."},
    {CheckRule::after_reject, CheckKind::misuse, "CHECK-AFTER-REJECT", "A connector was used again after Reject.",
     "Reject ends a connector. The peer of a second connection never gets an answer.",
     "Release the connector after Reject, and create one for each request."},
    {CheckRule::bind_early, CheckKind::misuse, "CHECK-BIND-EARLY", "A memory window was bound before the connection.",
     "Bind is a request like Send: a queue pair takes it from CompleteConnect or Accept on. A program that ignores the "
     "refusal sends its peer a token that is none.",
     "Bind after CompleteConnect or Accept was called, and send the token after the result of Bind."},
    {CheckRule::read_limit, CheckKind::misuse, "CHECK-READ-LIMIT",
     "A Read was posted on a connection with an outbound read limit of 0.",
     "It can never start, so that it fails, and with it the queue pair. The limits of Connect and Accept are lowered "
     "to those of the other side; a 0 of either makes 0 here.",
     "Pass an outbound limit to Connect or Accept here, and an inbound limit there; GetReadLimits tells the result."},
    {CheckRule::entry, CheckKind::misuse, "CHECK-ENTRY",
     "An entry lies outside its region, or its token is dead, foreign, or lacks the right.",
     "Memory is checked when a request executes: a receive fails when a message comes, and the peer is told of an "
     "error of its own.",
     "Keep entries within the region of their local token; register with the right to write for Receive and Read; take "
     "results before Deregister."},
    {CheckRule::buffer_in_use, CheckKind::misuse, "CHECK-BUFFER-IN-USE",
     "A Send or Write takes memory that an earlier Read still fills.",
     "The Read may place its bytes before, while and after they are sent: the peer gets old bytes, new ones, or some "
     "of each.",
     "Take the result of the Read first, or post with ND_OP_FLAG_READ_FENCE on the Read's queue pair."},
    {CheckRule::buffer_changed, CheckKind::misuse, "CHECK-BUFFER-CHANGED",
     "The memory of a Send or Write changed between the post and its result.",
     "The bytes are read at any time until the result. The peer gets the old ones, the new ones, or some of each.",
     "Leave the memory alone until the result, or post with ND_OP_FLAG_INLINE, which copies."},
    {CheckRule::no_receive, CheckKind::misuse, "CHECK-NO-RECEIVE", "A message came, and no receive was posted for it.",
     "OpenND lets it wait for a moment (OPENND_NO_RECEIVE_MS). NICs end the connection at once or after some attempts, "
     "and the Send fails at the side that did nothing wrong.",
     "Post as many receives as the peer may send messages, the first before Connect or Accept; tell the peer of "
     "further ones."},
    {CheckRule::receive_late, CheckKind::misuse, "CHECK-RECEIVE-LATE",
     "The first receive was posted after the connection, when a message was there already.",
     "The peer may send as soon as it is connected. It went well this time because OpenND lets messages wait.",
     "Post receives before Connect and before Accept: a queue pair takes them from its creation on."},
    {CheckRule::depth, CheckKind::misuse, "CHECK-DEPTH",
     "More requests are outstanding than their completion queue has room for results.",
     "OpenND makes room as long as OPENND_OVERRUN is forgiving. A NIC's queue overruns, and all its queue pairs fail.",
     "Create the completion queue as deep as the depths of its queue pairs together, or post fewer requests at a "
     "time."},
    {CheckRule::memory_gone, CheckKind::misuse, "CHECK-MEMORY-GONE",
     "Memory was unmapped or freed while it was registered.",
     "Requests and peers go on using the addresses: they fail, or write into memory that belongs to something else by "
     "now.",
     "Deregister first, wait for that to complete, then free."},
    {CheckRule::overlapped_in_use, CheckKind::misuse, "CHECK-OVERLAPPED-IN-USE",
     "An OVERLAPPED was given to a call while an earlier call is still pending with it.",
     "Both write their status there. The program takes the end of one for that of the other.",
     "Give each pending call an OVERLAPPED of its own."},
    {CheckRule::other_object, CheckKind::misuse, "CHECK-OTHER-OBJECT",
     "GetOverlappedResult was called on an object that did not begin the request.",
     "OpenND answers for any object. Other providers look among the object's own requests and fail, or never return.",
     "Call it on the object that began the request."},
    {CheckRule::after_release, CheckKind::misuse, "CHECK-AFTER-RELEASE",
     "A method was called on an object after its last Release.",
     "The memory may belong to something else by then: the call crashes, or changes another object. The checking layer "
     "keeps the memory of the newest 4096 objects, and such a call fails with ND_INVALID_HANDLE.",
     "Release an object once for each reference, when nothing calls it any more; AddRef one for each further owner."},
    {CheckRule::leak, CheckKind::misuse, "CHECK-LEAK", "Objects were not released before the process ended.",
     "Their connections end without a Disconnect, so that the peer sees them as lost, and registered memory stays "
     "pinned on a NIC.",
     "Release each object once for each reference; close NDK objects."},
    {CheckRule::buffer_shared, CheckKind::note, "CHECK-BUFFER-SHARED",
     "A Send or Write takes memory that a posted Receive fills.",
     "It is in order if the peer answers this very message, and a race if the peer may send before.",
     "Give each direction memory of its own, unless the peer only answers."},
    {CheckRule::no_answer, CheckKind::note, "CHECK-NO-ANSWER",
     "A peer's Connect was answered neither with Accept nor with Reject.",
     "The peer's Connect waits for the answer, until the peer gives up or the connector is released.",
     "Call Accept or Reject with each connector that GetConnectionRequest has given a request."},
    {CheckRule::first_error, CheckKind::note, "CHECK-FIRST-ERROR", "The first request of a queue pair that failed.",
     "All requests behind it are canceled. They are its consequences and need no search.",
     "Look at this one's status with `nd explain`, and at the line about it with OPENND_LOG=warn."},
});

constexpr bool in_order() {
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (kRows[i].rule != static_cast<CheckRule>(i + 1)) return false;
    return kRows.size() == static_cast<std::size_t>(CheckRule::first_error);
}
static_assert(in_order(), "one row for each rule, in the order of the enumeration");

}  // namespace

std::span<const CheckRuleRow> check_rules() { return kRows; }

const CheckRuleRow& row_of(CheckRule rule) { return kRows[static_cast<std::size_t>(rule) - 1]; }

}  // namespace opennd
