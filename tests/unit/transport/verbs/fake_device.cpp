// SPDX-License-Identifier: MIT
// What the device does with requests: see fake_device.h.
#include "unit/transport/verbs/fake_device.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "unit/transport/verbs/fake_queue_pair.h"

namespace opennd::verbs {
namespace {

constexpr std::chrono::seconds kPatience{20};

void scatter(const std::vector<std::byte>& data, const std::vector<ibv_sge>& entries) {
    std::size_t used = 0;
    for (const ibv_sge& entry : entries) {
        const std::size_t part = std::min<std::size_t>(entry.length, data.size() - used);
        std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(used), part, reinterpret_cast<std::byte*>(entry.addr));
        used += part;
    }
}

void ring(int descriptor) { (void)::eventfd_write(descriptor, 1); }

}  // namespace

FakeDevice::Pair* FakeDevice::pair_of(std::uint32_t number) {
    const auto found = pairs_.find(number);
    return found == pairs_.end() ? nullptr : found->second;
}

void FakeDevice::connect(std::uint32_t first, std::uint32_t second) {
    const std::lock_guard lock(mutex_);
    Pair* const a = pair_of(first);
    Pair* const b = pair_of(second);
    a->peer = b;
    b->peer = a;
}

void FakeDevice::run() {
    const std::lock_guard lock(mutex_);
    for (auto& [number, pair] : pairs_) run_pair(*pair);
}

void FakeDevice::keep_reads() {
    const std::lock_guard lock(mutex_);
    keeps_reads_ = true;
}

void FakeDevice::run_reads() {
    const std::lock_guard lock(mutex_);
    keeps_reads_ = false;
    for (auto& [number, pair] : pairs_) run_pair(*pair);
}

bool FakeDevice::grants(std::uint64_t address, std::uint32_t bytes, std::uint32_t key, int right, bool remote) const {
    const auto found = regions_.find(key);
    if (found == regions_.end()) return false;
    const auto start = reinterpret_cast<std::uint64_t>(found->second->addr);
    if (address < start || address + bytes > start + found->second->length) return false;
    return (right == 0 && !remote) || (rights_.at(key) & right) != 0;
}

ibv_wc_status FakeDevice::check(const FakeRequest& request, int right) const {
    for (const ibv_sge& entry : request.entries)
        if (!grants(entry.addr, entry.length, entry.lkey, right, false)) return IBV_WC_LOC_PROT_ERR;
    return IBV_WC_SUCCESS;
}

void FakeDevice::run_pair(Pair& pair) {
    std::ptrdiff_t kept = 0;  // Reads
    while (pair.state == IBV_QPS_RTS && pair.peer && kept != std::ssize(pair.requests)) {
        const auto next = pair.requests.begin() + kept;
        if (keeps_reads_ && next->opcode == IBV_WR_RDMA_READ) {
            ++kept;
            continue;
        }
        if (!carry_out(pair, *next)) return;
        pair.requests.erase(pair.requests.begin() + kept);
    }
}

// False: it waits for a receive.
bool FakeDevice::carry_out(Pair& pair, FakeRequest& request) {
    Pair& peer = *pair.peer;
    const auto fails = [&](ibv_wc_status status) {
        complete(pair, request, status, 0, 0x81);
        pair.requests.pop_front();
        pair.state = IBV_QPS_ERR;
        flush(pair);
        return false;
    };
    if (request.opcode == IBV_WR_BIND_MW || request.opcode == IBV_WR_LOCAL_INV) {
        if (!carry_out_here(pair, request))
            return fails(request.opcode == IBV_WR_BIND_MW ? IBV_WC_MW_BIND_ERR : IBV_WC_LOC_QP_OP_ERR);
        complete(pair, request, IBV_WC_SUCCESS, 0, 0);
        return true;
    }
    const bool reads = request.opcode == IBV_WR_RDMA_READ;
    if (const ibv_wc_status status = check(request, reads ? IBV_ACCESS_LOCAL_WRITE : 0); status != IBV_WC_SUCCESS)
        return fails(status);
    const std::uint32_t bytes = request.bytes();
    std::vector<std::byte> data = request.inline_data.empty() ? request.gathered() : request.inline_data;
    if ((reads || request.is_write()) && bytes != 0) {
        const int right = reads ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
        if (!grants(request.remote_address, bytes, request.remote_key, right, true) &&
            !windows_.grants(request.remote_address, bytes, request.remote_key, right, &peer))
            return fails(IBV_WC_REM_ACCESS_ERR);
        auto* const there = reinterpret_cast<std::byte*>(request.remote_address);
        if (reads)
            scatter({there, there + bytes}, request.entries);
        else
            std::memcpy(there, data.data(), bytes);
    }
    if (request.takes_receive()) {
        std::deque<FakeRequest>& posted = peer.shared ? peer.shared->posted : peer.posted;
        if (posted.empty()) return false;
        const FakeRequest receive = std::move(posted.front());
        posted.pop_front();
        if (peer.shared) peer.shared->tell_limit();
        ibv_wc status{};
        status.status = check(receive, IBV_ACCESS_LOCAL_WRITE);
        if (!request.is_write() && receive.bytes() < bytes) status.status = IBV_WC_LOC_LEN_ERR;
        if (!request.is_write() && status.status == IBV_WC_SUCCESS) scatter(data, receive.entries);
        status.wr_id = receive.id;
        status.qp_num = peer.base.qp_num;
        status.byte_len = bytes;
        status.opcode = request.is_write() ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
        if (request.has_immediate()) {
            status.wc_flags = IBV_WC_WITH_IMM;
            status.imm_data = request.immediate;
        }
        if (request.opcode == IBV_WR_SEND_WITH_INV) {
            (void)windows_.take(request.remote_key, &peer);
            status.wc_flags = flag_of_invalidations;
            status.invalidated_rkey = request.remote_key;
        }
        push(*peer.receives, status, (request.flags & IBV_SEND_SOLICITED) != 0);
        if (status.status != IBV_WC_SUCCESS) {
            peer.state = IBV_QPS_ERR;
            flush(peer);
            return fails(IBV_WC_REM_OP_ERR);
        }
    }
    complete(pair, request, IBV_WC_SUCCESS, bytes, 0);
    return true;
}

bool FakeDevice::carry_out_here(Pair& pair, const FakeRequest& request) {
    if (request.opcode == IBV_WR_LOCAL_INV) return windows_.take(request.remote_key, &pair);
    const auto region = rights_.find(request.part.mr->lkey);
    if (region == rights_.end() || (region->second & IBV_ACCESS_MW_BIND) == 0) return false;
    windows_.bind(request, &pair);
    return true;
}

bool FakeDevice::has_takers(const FakeSharedQueue& queue) const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& each) { return each.second->shared == &queue; });
}

void FakeDevice::run_peers_of_takers(const FakeSharedQueue& queue) {
    for (const auto& [number, pair] : pairs_)
        if (pair->peer && pair->peer->shared == &queue) run_pair(*pair);
}

void FakeDevice::add_event(const ibv_async_event& event) {
    async_events_.push_back(event);
    ring(context_.newer.context.async_fd);
}

void FakeDevice::tell_last(Pair& pair) {
    if (!pair.shared || !tells_last_receive) return;
    ibv_async_event event{};
    event.event_type = IBV_EVENT_QP_LAST_WQE_REACHED;
    event.element.qp = &pair.base;
    add_event(event);
}

void FakeDevice::complete(Pair& pair, const FakeRequest& request, ibv_wc_status status, std::uint32_t bytes,
                          std::uint32_t vendor) {
    if (status == IBV_WC_SUCCESS && (request.flags & IBV_SEND_SIGNALED) == 0) return;
    ibv_wc result{};
    result.wr_id = request.id;
    result.status = status;
    result.vendor_err = vendor;
    result.byte_len = bytes;
    result.qp_num = pair.base.qp_num;
    push(*pair.sends, result, false);
}

void FakeDevice::give_flushed() {
    const std::lock_guard lock(mutex_);
    keeps_flushed = false;
    for (auto& [number, pair] : pairs_)
        if (pair->state == IBV_QPS_ERR) flush(*pair);
}

void FakeDevice::flush(Pair& pair) {
    if (keeps_flushed) return;
    if (!loses_flushed) {
        for (const FakeRequest& request : pair.requests) complete(pair, request, IBV_WC_WR_FLUSH_ERR, 0, 0);
        for (const FakeRequest& receive : pair.posted) {
            ibv_wc result{};
            result.wr_id = receive.id;
            result.status = IBV_WC_WR_FLUSH_ERR;
            result.qp_num = pair.base.qp_num;
            push(*pair.receives, result, false);
        }
    }
    pair.requests.clear();
    pair.posted.clear();
}

void FakeDevice::push(Queue& queue, const ibv_wc& result, bool solicited) {
    if (queue.results.size() == queue.room) {
        ibv_async_event event{};
        event.event_type = IBV_EVENT_CQ_ERR;
        event.element.cq = &queue.base;
        add_event(event);
        return;
    }
    queue.results.push_back(result);
    const bool failure = failures_make_events && result.status != IBV_WC_SUCCESS;
    if (!queue.armed || (queue.solicited_only && !solicited && !failure)) return;
    queue.armed = false;
    completion_events_.push_back(&queue);
    ring(completion_fd_);
}

void FakeDevice::fail_oldest_request(std::uint32_t number, ibv_wc_status status, std::uint32_t vendor_code) {
    const std::lock_guard lock(mutex_);
    Pair& pair = *pair_of(number);
    complete(pair, pair.requests.front(), status, 0, vendor_code);
    pair.requests.pop_front();
    pair.state = IBV_QPS_ERR;
    flush(pair);
}

void FakeDevice::fail_oldest_receive(std::uint32_t number, ibv_wc_status status) {
    const std::lock_guard lock(mutex_);
    Pair& pair = *pair_of(number);
    ibv_wc result{};
    result.wr_id = pair.posted.front().id;
    result.status = status;
    result.qp_num = number;
    pair.posted.pop_front();
    push(*pair.receives, result, false);
    pair.state = IBV_QPS_ERR;
    flush(pair);
}

void FakeDevice::tell(ibv_event_type type) {
    const std::lock_guard lock(mutex_);
    ibv_async_event event{};
    event.event_type = type;
    add_event(event);
}

void FakeDevice::tell(std::uint32_t number, ibv_event_type type) {
    const std::lock_guard lock(mutex_);
    ibv_async_event event{};
    event.event_type = type;
    event.element.qp = &pair_of(number)->base;
    add_event(event);
}

void FakeDevice::tell_shared(std::uint32_t number, ibv_event_type type) {
    const std::lock_guard lock(mutex_);
    ibv_async_event event{};
    event.event_type = type;
    event.element.srq = &pair_of(number)->shared->base;
    add_event(event);
}

void FakeDevice::take_receive(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    Pair& pair = *pair_of(number);
    pair.posted.push_back(pair.shared->take());
}

void FakeDevice::overrun_queue_of(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    ibv_async_event event{};
    event.event_type = IBV_EVENT_CQ_ERR;
    event.element.cq = &pair_of(number)->sends->base;
    add_event(event);
}

FakeDevice::Counts FakeDevice::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

void FakeDevice::wait_for_event_requests(int requests) {
    std::unique_lock lock(mutex_);
    const auto asked = [&] { return counts_.event_requests >= requests; };
    if (!event_requested_.wait_for(lock, kPatience, asked)) ADD_FAILURE() << "no event was asked for";
}

}  // namespace opennd::verbs
