// SPDX-License-Identifier: MIT
//
// CompletionQueue: a completion queue with the two ways of waiting for it, polling and Notify, and what to do when nothing
// comes: see whether the peers are still there.
#pragma once

#include "network/connection/connection.h"
#include "network/ndk/completion_queue.h"

#include <string>
#include <vector>

namespace nd {

// How a wait goes on when there is nothing to see.
enum class WaitBy { polling, events };

class CompletionQueue {
public:
    static constexpr ULONG kMostResults = NdkCompletionQueue::kMostResults;

    CompletionQueue(const Adapter& adapter, ULONG depth);

    // Null if it is of another interface.
    INDCompletionQueue* nd1() const { return object_.nd1.get(); }
    IND2CompletionQueue* nd2() const { return object_.nd2.get(); }
    NdkCompletionQueue* ndk() const { return object_.ndk.get(); }

    // A wait fails when one of the watched connections is lost. They outlive the queue's use.
    void watch(const Connection* connection) { watched_.push_back(connection); }

    // SIGINT ends a wait. A client that must finish its work turns this off and checks for SIGINT itself.
    void stop_on_interrupt(bool stop) { stop_on_interrupt_ = stop; }

    // One look, for at most kMostResults; may return 0. The caller looks at each Status.
    template <WaitBy kWait>
    ULONG look(ND2_RESULT results[], ULONG capacity) {
        const ULONG count = object_.ndk   ? object_.ndk->GetResults(results, capacity)
                            : object_.nd1 ? take_nd1(results, capacity)
                                          : object_.nd2->GetResults(results, capacity);
        if (count == 0) {
            if constexpr (kWait == WaitBy::events)
                wait_for_event();
            else if (++empty_looks_ % kEmptyLooksBetweenChecks == 0)
                look_around();
        }
        return count;
    }

    // Waits for one result, which must be a success. attempted is for the error text.
    template <WaitBy kWait>
    ND2_RESULT wait_one(const char* attempted) {
        ND2_RESULT result;
        while (look<kWait>(&result, 1) == 0) {
        }
        check_result(result, attempted);
        return result;
    }

    static void check_result(const ND2_RESULT& result, const char* attempted) {
        if (result.Status != ND_SUCCESS) [[unlikely]]
            fail(result, attempted);
    }

    // Throws if a watched connection is lost, or Interrupted. Of many connections each has its turn, so that a look costs the same.
    void look_around();

private:
    static constexpr unsigned kEmptyLooksBetweenChecks = 1024;
    static constexpr std::size_t kWatchedAtOnce = 16;

    HRESULT make(ULONG depth);

    // Version 1 gives back addresses; which requests they are of, lies behind them.
    ULONG take_nd1(ND2_RESULT results[], ULONG capacity) {
        ND_RESULT* taken[kMostResults];
        const auto count = static_cast<ULONG>(object_.nd1->GetResults(taken, capacity));
        for (ULONG i = 0; i < count; i++) results[i] = Nd1Request::in_words_of_version_2(taken[i]);
        return count;
    }

    [[noreturn]] static void fail(const ND2_RESULT& result, const char* attempted);
    void wait_for_event();

    const Adapter& adapter_;
    PendingRequest notice_;  // outlives the queue
    OfOneApi<INDCompletionQueue, IND2CompletionQueue, NdkCompletionQueue> object_;
    std::vector<const Connection*> watched_;
    std::size_t watched_last_ = 0;
    bool stop_on_interrupt_ = true;
    unsigned empty_looks_ = 0;
};

}  // namespace nd
