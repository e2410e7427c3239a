// SPDX-License-Identifier: MIT
//
// Waiting polls one queue and nothing else: polling alone must make progress (ND2-CQ-GET-06), and a peer that makes no
// call must not hold a request up.
#include "conformance/vocabulary/endpoint.h"

#include <stdexcept>

namespace opennd::conformance {
namespace {

const char* name_of(RequestKind kind) {
    switch (kind) {
        case RequestKind::receive: return "receive";
        case RequestKind::send: return "send";
        case RequestKind::bind: return "bind";
        case RequestKind::invalidate: return "invalidate";
        case RequestKind::read: return "read";
        case RequestKind::write: return "write";
    }
    return "request of unknown kind";
}

SgeList list_of(const Sge& sge) { return sge.length_bytes == 0 ? SgeList{} : SgeList(&sge, 1); }

}  // namespace

Completion next(CompletionQueue& queue, milliseconds limit) {
    Completion completion;
    const bool came = support::wait_until(
        [&] {
            const auto results = queue.poll(1);
            if (results.empty()) return false;
            completion = results.front();
            return true;
        },
        limit);
    if (!came) completion.outcome = Outcome::nothing_by_the_deadline;
    return completion;
}

std::vector<Completion> next(CompletionQueue& queue, std::size_t count) {
    std::vector<Completion> completions;
    const bool all_came = support::wait_until([&] {
        const auto results = queue.poll(count - completions.size());
        completions.insert(completions.end(), results.begin(), results.end());
        return completions.size() == count;
    });
    if (!all_came) ADD_FAILURE() << "only " << completions.size() << " of " << count << " results by the deadline";
    return completions;
}

testing::AssertionResult reports(CompletionQueue& queue, RequestKind kind, Tag tag, Outcome outcome) {
    const Completion actual = next(queue);
    if (actual.outcome == outcome && actual.kind == kind && actual.request == tag) return testing::AssertionSuccess();
    auto failure = testing::AssertionFailure()
                   << "expected " << name_of(kind) << ' ' << tag << ": " << outcome << "; got ";
    if (actual.outcome == Outcome::nothing_by_the_deadline) return failure << actual.outcome;
    return failure << name_of(actual.kind) << ' ' << actual.request << ": " << actual.outcome;
}

testing::AssertionResult reports_received(CompletionQueue& queue, Tag tag, std::size_t bytes) {
    const Completion actual = next(queue);
    if (actual.outcome == Outcome::success && actual.kind == RequestKind::receive && actual.request == tag &&
        actual.bytes == bytes) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "expected receive " << tag << " of " << bytes << " bytes; got "
                                       << name_of(actual.kind) << ' ' << actual.request << " of " << actual.bytes
                                       << " bytes: " << actual.outcome;
}

testing::AssertionResult reports_exactly(CompletionQueue& queue, const std::vector<Tag>& tags, Outcome outcome) {
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const Completion actual = next(queue);
        if (actual.request != tags[i] || actual.outcome != outcome) {
            return testing::AssertionFailure() << "result " << i << " should be request " << tags[i] << ": " << outcome
                                               << "; got request " << actual.request << ": " << actual.outcome;
        }
    }
    const auto further = queue.poll(1);
    if (further.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "a further result: request " << further[0].request << ": "
                                       << further[0].outcome;
}

std::unique_ptr<MemoryRegion> registered(Adapter& adapter, const void* memory, std::size_t bytes, unsigned rights) {
    auto region = adapter.create_memory_region();
    const Outcome outcome = region->enroll(memory, bytes, rights).wait();
    if (outcome != Outcome::success) {
        throw std::runtime_error(std::string("cannot register memory for the test: ") + name_of(outcome));
    }
    return region;
}

Endpoint::Endpoint(Driver& driver, const EndpointOptions& options)
    : adapter(driver.open_adapter()),
      received(adapter->create_completion_queue(options.completion_depth)),
      initiated(adapter->create_completion_queue(options.completion_depth)),
      memory(options.memory_bytes, options.memory),
      region(registered(*adapter, memory.data(), memory.size(), options.rights)),
      queue_pair(adapter->create_queue_pair(*received, *initiated, options.queue_pair)),
      connector(adapter->create_connector()) {}

Sge Endpoint::piece(std::size_t offset, std::size_t length) const {
    return {memory.data() + offset, static_cast<std::uint32_t>(length), region->local_token()};
}

Remote Endpoint::remote(std::size_t offset) const {
    return {reinterpret_cast<std::uintptr_t>(memory.data()) + offset, queue_pair->grant(*region)};
}

Outcome Endpoint::send(Tag tag, std::size_t offset, std::size_t length, unsigned flags) {
    const Sge sge = piece(offset, length);
    return queue_pair->send(tag, list_of(sge), flags);
}

Outcome Endpoint::receive(Tag tag, std::size_t offset, std::size_t length) {
    const Sge sge = piece(offset, length);
    return queue_pair->receive(tag, list_of(sge));
}

Outcome Endpoint::read(Tag tag, std::size_t offset, std::size_t length, Remote from, unsigned flags) {
    const Sge sge = piece(offset, length);
    return queue_pair->read(tag, list_of(sge), from, flags);
}

Outcome Endpoint::write(Tag tag, std::size_t offset, std::size_t length, Remote to, unsigned flags) {
    const Sge sge = piece(offset, length);
    return queue_pair->write(tag, list_of(sge), to, flags);
}

}  // namespace opennd::conformance
