// SPDX-License-Identifier: MIT
// libibverbs as a table of functions over a device that a test plays: queue pairs carry out what is posted when the test says so,
// between two of them or against nobody. It does what soft devices do not: it loses flushed results, overruns a completion queue,
// removes itself in the middle, and takes its results away with a queue pair.
//
// Results for OpenND's side alone are checked as a device checks them: keys, ranges and rights.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "transport/verbs/device/rdma_core.h"
#include "unit/transport/verbs/fake_request.h"
#include "unit/transport/verbs/fake_shared_queue.h"
#include "unit/transport/verbs/fake_windows.h"

namespace opennd::verbs {

class FakeDevice {
public:
    explicit FakeDevice(ibv_transport_type type = IBV_TRANSPORT_IB);
    ~FakeDevice();
    FakeDevice(const FakeDevice&) = delete;

    VerbsFunctions functions() const;
    ibv_context* context() { return &context_.newer.context; }

    // Requests are carried out in the post; otherwise by run().
    void hold() { held_ = true; }
    void run();
    // As siw: Reads wait for run_reads(), and requests behind them complete before.
    void keep_reads();
    void run_reads();

    // The two are each other's peers from now on.
    void connect(std::uint32_t first, std::uint32_t second);
    // The oldest request of the queue pair fails; what is behind it is flushed.
    void fail_oldest_request(std::uint32_t number, ibv_wc_status status, std::uint32_t vendor_code = 0);
    void fail_oldest_receive(std::uint32_t number, ibv_wc_status status);
    // An event of the device, or of a queue pair.
    void tell(ibv_event_type type);
    void tell(std::uint32_t number, ibv_event_type type);
    // An event of the shared receive queue of the queue pair.
    void tell_shared(std::uint32_t number, ibv_event_type type);
    // The queue pair takes a receive of its shared queue, for a message that never ends.
    void take_receive(std::uint32_t number);
    // The completion queue of its requests has lost a result.
    void overrun_queue_of(std::uint32_t number);

    // What it does badly.
    bool loses_flushed = false;     // flushed requests are never given back
    bool destroys_results = false;  // ibv_destroy_qp removes results from completion queues
    bool refuses_queue_pairs = false;
    bool refuses_shared_queues = false, refuses_limits = false, resizes_shared_queues = true;
    bool refuses_windows = false;
    unsigned window_flags = IBV_DEVICE_MEM_WINDOW_TYPE_2B;
    bool pages_on_demand = false;    // registers all memory at once
    const void* constant = nullptr;  // memory that this process may not write
    bool tells_last_receive = true;
    unsigned flag_of_invalidations = IBV_WC_WITH_INV;
    bool failures_make_events = true;  // of an ibv_cq that was asked for solicited results
    std::uint32_t most_completions = 1 << 16;
    // What it can do beside.
    bool moderates = false;
    ibv_ece options{};                // for a peer of its vendor; then those that both have
    std::vector<ibv_gid_entry> gids;  // of its port
    int post_error = 0;               // of the next posts
    // Runs when a queue pair has been put into its error state and flushed, before ibv_modify_qp returns: what another thread may do
    // just then.
    std::function<void()> after_flush;
    // Runs at the beginning of ibv_destroy_qp.
    std::function<void()> before_destroy;
    // A flush gives nothing back before give_flushed().
    bool keeps_flushed = false;
    void give_flushed();

    // What was asked of it.
    struct Counts {
        int queue_pairs = 0, queues = 0, regions = 0, domains = 0, shared_queues = 0, windows = 0;  // alive
        int created_queues = 0, created_queue_pairs = 0;
        std::vector<int> vectors;  // of the queues
        std::vector<ibv_moderate_cq> moderations;
        int region_requests = 0;  // granted or not
        int requests = 0, signalled = 0, receives = 0, event_requests = 0, limit_requests = 0, polls = 0;
        bool solicited_only = false;  // of the last request for an event
        std::vector<ibv_send_wr> sent;
        std::vector<ibv_sge> sent_entries;  // of the last one
    };
    Counts counts() const;
    // Returns once so many events of completion queues were asked for. A failure of the test if they are not.
    void wait_for_event_requests(int requests);

private:
    friend struct FakeCalls;
    friend struct FakeSharedQueue;
    friend class FakeWindows;
    struct Queue;
    struct Pair;
    // libibverbs finds the newer functions of a device before its ibv_context.
    struct Context {
        verbs_context newer{};  // first
        FakeDevice* device = nullptr;
    };

    static FakeDevice& of(const ibv_context* context) {
        const auto* const newer = reinterpret_cast<const char*>(context) - offsetof(verbs_context, context);
        return *reinterpret_cast<const Context*>(newer)->device;
    }
    void push(Queue& queue, const ibv_wc& result, bool solicited);
    void run_pair(Pair& pair);
    bool carry_out(Pair& pair, FakeRequest& request);
    void complete(Pair& pair, const FakeRequest& request, ibv_wc_status status, std::uint32_t bytes,
                  std::uint32_t vendor);
    void flush(Pair& pair);
    bool carry_out_here(Pair& pair, const FakeRequest& request);
    void tell_last(Pair& pair);
    void add_event(const ibv_async_event& event);
    bool has_takers(const FakeSharedQueue& queue) const;
    // A receive was posted.
    void run_peers_of_takers(const FakeSharedQueue& queue);
    bool grants(std::uint64_t address, std::uint32_t bytes, std::uint32_t key, int right, bool remote) const;
    ibv_wc_status check(const FakeRequest& request, int right) const;
    Pair* pair_of(std::uint32_t number);

    mutable std::mutex mutex_;
    std::condition_variable acknowledged_;  // an event of a queue was
    std::condition_variable event_requested_;
    ibv_device device_{};
    Context context_;
    int completion_fd_ = -1;
    std::atomic<bool> held_{false};
    bool keeps_reads_ = false;
    Counts counts_;
    std::uint32_t last_key_ = 0x100, last_number_ = 0x10;
    std::map<std::uint32_t, std::unique_ptr<ibv_mr>> regions_;
    std::map<std::uint32_t, int> rights_;
    FakeWindows windows_;
    std::map<std::uint32_t, Pair*> pairs_;
    std::deque<Queue*> completion_events_;
    std::deque<ibv_async_event> async_events_;
};

}  // namespace opennd::verbs
