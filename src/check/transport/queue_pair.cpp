// SPDX-License-Identifier: MIT
// See queue_pair.h.
#include "check/transport/queue_pair.h"

#include <new>
#include <utility>

namespace opennd {
namespace {

bool reads_memory(Operation operation) {
    return operation == Operation::send || operation == Operation::write || operation == Operation::send_and_invalidate;
}

}  // namespace

CheckedQueuePair::CheckedQueuePair(CheckedParts& parts, EntryJudge judge, Ref<TransportQueuePair> inner, Rooms rooms,
                                   Ref<RefCounted> shared, Face face)
    : LayerQueuePair(std::move(inner)),
      parts_(parts),
      judge_(std::move(judge)),
      rooms_(std::move(rooms)),
      shared_(std::move(shared)),
      book_(make_ref<RequestBook>(parts.diagnostics, parts.filled, parts.requests, "queue pair", face)) {}

CheckedQueuePair::~CheckedQueuePair() { book_->end(); }

// Without memory for the book the request is refused: its completion would carry a context that nobody knows.
Status CheckedQueuePair::post(const WorkRequest& request) try {
    return post_in_book(request);
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

Status CheckedQueuePair::post_in_book(const WorkRequest& request) {
    const CallSite site = CallSite::here();
    const Phrase label = book_->label();
    if (request.operation == Operation::read) judge_read(request, site);
    if (request.operation == Operation::receive) judge_receive(request, site);

    PostedRequest posted;
    posted.operation = request.operation;
    posted.silent = has(request.flags, RequestFlags::silent_success);
    posted.context = request.context;
    posted.bytes = total_length(request.sges);
    posted.at = site.stack;
    EntryJudge::Judged judged = judge_.judge(label, request.operation, request.sges, request.flags, site);
    posted.memory = std::move(judged.memory);
    // The end of a silent request is known to the program by other means than a result.
    const bool watched = reads_memory(request.operation) && judged.settled && !posted.silent;
    if (watched && !posted.memory.empty()) posted.hash = hash_of(posted.memory);
    posted.room = request.operation == Operation::receive ? rooms_.receives : rooms_.initiators;
    posted.counted = posted.room && !posted.silent;

    const Ref<ResultRoom> room = posted.counted ? posted.room : nullptr;
    const std::uint64_t number = book_->open(std::move(posted));
    if (room) judge_depth(*room, request.operation, site);
    try {
        parts_.requests.add(number, book_);
    } catch (...) {
        book_->withdraw(number);
        throw;
    }
    WorkRequest numbered = request;
    numbered.context = reinterpret_cast<void*>(number);
    const Status status = inner()->post(numbered);
    if (ok(status)) {
        book_->accepted(number);
    } else {
        (void)parts_.requests.take(number);
        book_->withdraw(number);
    }
    return status;
}

void CheckedQueuePair::judge_read(const WorkRequest& request, const CallSite& site) const {
    if (outbound_reads_.load(std::memory_order_relaxed) != 0) return;
    parts_.diagnostics.tell(
        {CheckRule::read_limit, book_->label(),
         phrase("Read of {} bytes, and the outbound read limit of the connection is 0", total_length(request.sges))},
        site);
}

void CheckedQueuePair::judge_receive(const WorkRequest&, const CallSite& site) const {
    const bool connected = outbound_reads_.load(std::memory_order_relaxed) != kNotConnected;
    if (!connected || !book_->first_receive()) return;
    const std::optional<QueuePairUse> now = inner()->use();
    if (now && now->message_waits)
        parts_.diagnostics.tell(
            {CheckRule::receive_late, book_->label(), "Receive, and a message of the peer waits for it"}, site);
}

// Counts the result in.
void CheckedQueuePair::judge_depth(ResultRoom& room, Operation operation, const CallSite& site) const {
    const std::uint32_t expected = room.expect();
    if (expected <= room.depth()) return;
    parts_.diagnostics.tell({CheckRule::depth, book_->label(),
                             phrase("{}: {} results may come to completion queue {} of depth {}", name(operation),
                                    expected, room.number(), room.depth())},
                            site);
}

void CheckedQueuePair::close() {
    inner()->close();
    book_->end();
}

std::optional<QueuePairUse> CheckedQueuePair::use() {
    std::optional<QueuePairUse> now = inner()->use();
    if (now && now->oldest)
        now->oldest->context =
            book_->context_of(reinterpret_cast<std::uint64_t>(now->oldest->context)).value_or(nullptr);
    return now;
}

void CheckedQueuePair::set_number(std::uint32_t number) {
    book_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd
