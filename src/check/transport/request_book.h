// SPDX-License-Identifier: MIT
// The outstanding requests of one queue pair, or of a shared receive queue, with the memory that they use and the places where the program
// posted them; and the rules that a result can show broken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/phrase.h"
#include "base/ref.h"
#include "check/diagnostics.h"
#include "check/transport/filled_memory.h"
#include "check/transport/request_index.h"
#include "check/transport/result_room.h"
#include "model/completion.h"
#include "model/face.h"
#include "model/work_request.h"
#include "platform/process/call_stack.h"

namespace opennd {

struct PostedRequest {
    Operation operation = Operation::send;
    bool silent = false;
    void* context = nullptr;          // the program's
    std::vector<Sge> memory;          // of this process, that may be looked at
    std::uint64_t bytes = 0;          // of all entries
    std::optional<std::size_t> hash;  // of the memory when it was posted, where the request reads it
    CallStack at;
    Ref<ResultRoom> room;       // where its result comes to; null: known only when it comes
    bool counted = false;       // in `room`
    std::uint64_t ordinal = 0;  // of its operation in this book, from 1
    std::uint64_t in_queue_at =
        0;  // a number of RequestIndex that is younger than its post; 0: the post has not returned
};

// Any thread.
class RequestBook final : public RefCounted {
public:
    // The first three outlive it.
    RequestBook(Diagnostics& diagnostics, FilledMemory& filled, RequestIndex& requests, std::string_view kind,
                Face face)
        : diagnostics_(diagnostics), filled_(filled), index_(requests), kind_(kind), face_(face) {}
    ~RequestBook() override;

    void set_number(std::uint32_t number);
    // "queue pair 3".
    Phrase label() const;

    // Takes a request that is about to be posted, and gives its number: the context to post it with. Throws std::bad_alloc.
    std::uint64_t open(PostedRequest request) EXCLUDES(mutex_);
    // The post has been accepted; its result may have been settled before.
    void accepted(std::uint64_t number) EXCLUDES(mutex_);
    // The post has been refused.
    void withdraw(std::uint64_t number) EXCLUDES(mutex_);

    // The result of the request: puts the program's context back, and tells the rules that it shows broken. Called by one thread for each number.
    void settle(std::uint64_t number, Completion& completion) EXCLUDES(mutex_);

    // Ends the book: nothing fills memory any more, and results that are still to be taken count nowhere.
    void end() EXCLUDES(mutex_);
    // Nobody will take results out of `room`.
    void forget(const ResultRoom& room) EXCLUDES(mutex_);
    // Ended, and all results were taken.
    bool over() const EXCLUDES(mutex_);

    // The program's context of an outstanding request; nothing: it has none such.
    std::optional<const void*> context_of(std::uint64_t number) const EXCLUDES(mutex_);
    // No receive has been posted so far.
    bool first_receive() const EXCLUDES(mutex_);

private:
    using Requests = std::map<std::uint64_t, PostedRequest>;

    void forget_memory(std::uint64_t number, const PostedRequest& request);
    void check_unchanged(const PostedRequest& request) const;
    void tell_first_failure(const PostedRequest& request, Status status, std::size_t behind) const;

    Diagnostics& diagnostics_;
    FilledMemory& filled_;
    RequestIndex& index_;
    const std::string_view kind_;  // "queue pair"
    const Face face_;              // which the program takes its results from
    std::atomic<std::uint32_t> label_number_{0};

    mutable Mutex mutex_;  // nothing is called under it
    Requests requests_ GUARDED_BY(mutex_);
    std::map<Operation, std::uint64_t> posted_ GUARDED_BY(mutex_);  // ever
    bool failed_ GUARDED_BY(mutex_) = false;                        // a request has
    bool ended_ GUARDED_BY(mutex_) = false;
};

// A hash of the bytes of `memory`, which is mapped. Nothing: it is not, or the system does not tell.
std::optional<std::size_t> hash_of(const std::vector<Sge>& memory);

}  // namespace opennd
