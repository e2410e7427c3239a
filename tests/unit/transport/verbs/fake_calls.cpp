// SPDX-License-Identifier: MIT
// libibverbs' functions over a FakeDevice: see fake_device.h.
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "unit/transport/verbs/fake_queue_pair.h"

namespace opennd::verbs {

// libibverbs' functions, and the device's own.
struct FakeCalls {
    using Queue = FakeDevice::Queue;
    using Pair = FakeDevice::Pair;

    static unsigned window_flags(const ibv_context* context) { return FakeDevice::of(context).window_flags; }

    static int query_gid_ex(ibv_context* context, std::uint32_t, std::uint32_t index, ibv_gid_entry* entry,
                            std::uint32_t, std::size_t) {
        for (const ibv_gid_entry& each : FakeDevice::of(context).gids)
            if (each.gid_index == index) return *entry = each, 0;
        return ENODATA;
    }
    static ibv_pd* alloc_pd(ibv_context* context) {
        FakeDevice& device = FakeDevice::of(context);
        const std::lock_guard lock(device.mutex_);
        ++device.counts_.domains;
        auto* const domain = new ibv_pd{};
        domain->context = context;
        return domain;
    }
    static int dealloc_pd(ibv_pd* domain) {
        FakeDevice& device = FakeDevice::of(domain->context);
        const std::lock_guard lock(device.mutex_);
        --device.counts_.domains;
        delete domain;
        return 0;
    }
    static ibv_mr* reg_mr(ibv_pd* domain, void* address, std::size_t bytes, int access) {
        FakeDevice& device = FakeDevice::of(domain->context);
        const std::lock_guard lock(device.mutex_);
        ++device.counts_.region_requests;
        if ((access & IBV_ACCESS_ON_DEMAND) != 0 && !device.pages_on_demand) return errno = EINVAL, nullptr;
        if ((access & IBV_ACCESS_REMOTE_WRITE) != 0 && (access & IBV_ACCESS_LOCAL_WRITE) == 0)
            return errno = EINVAL, nullptr;
        constexpr int kWritable = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_MW_BIND;
        if (device.constant && address == device.constant && (access & kWritable) != 0) return errno = EFAULT, nullptr;
        auto region = std::make_unique<ibv_mr>();
        region->context = domain->context;
        region->pd = domain;
        region->addr = address;
        region->length = bytes;
        region->lkey = region->rkey = device.last_key_ += 0x100;
        device.rights_[region->lkey] = access;
        ++device.counts_.regions;
        return (device.regions_[region->lkey] = std::move(region)).get();
    }
    static int dereg_mr(ibv_mr* region) {
        FakeDevice& device = FakeDevice::of(region->context);
        const std::lock_guard lock(device.mutex_);
        --device.counts_.regions;
        const std::uint32_t key = region->lkey;
        device.rights_.erase(key);
        device.regions_.erase(key);
        return 0;
    }
    static ibv_comp_channel* create_comp_channel(ibv_context* context) {
        FakeDevice& device = FakeDevice::of(context);
        auto* const channel = new ibv_comp_channel{};
        channel->context = context;
        channel->fd = device.completion_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
        return channel;
    }
    static int destroy_comp_channel(ibv_comp_channel* channel) {
        ::close(channel->fd);
        delete channel;
        return 0;
    }
    static ibv_cq* create_cq(ibv_context* context, int room, void*, ibv_comp_channel* channel, int vector) {
        FakeDevice& device = FakeDevice::of(context);
        const std::lock_guard lock(device.mutex_);
        if (static_cast<std::uint32_t>(room) > device.most_completions) return errno = EINVAL, nullptr;
        auto* const queue = new Queue;
        queue->base.context = context;
        queue->base.channel = channel;
        queue->base.cqe = room;
        queue->room = static_cast<std::size_t>(room);
        ++device.counts_.queues;
        ++device.counts_.created_queues;
        device.counts_.vectors.push_back(vector);
        return &queue->base;
    }
    static int destroy_cq(ibv_cq* base) {
        FakeDevice& device = FakeDevice::of(base->context);
        std::unique_lock lock(device.mutex_);
        auto* const queue = reinterpret_cast<Queue*>(base);
        std::erase(device.completion_events_, queue);
        device.acknowledged_.wait(lock, [queue] { return queue->unacknowledged == 0; });  // as libibverbs does
        --device.counts_.queues;
        delete queue;
        return 0;
    }
    static int get_cq_event(ibv_comp_channel* channel, ibv_cq** queue, void** context) {
        FakeDevice& device = FakeDevice::of(channel->context);
        const std::lock_guard lock(device.mutex_);
        eventfd_t value = 0;
        (void)::eventfd_read(channel->fd, &value);
        if (device.completion_events_.empty()) return errno = EAGAIN, -1;
        *queue = &device.completion_events_.front()->base;
        *context = nullptr;
        ++device.completion_events_.front()->unacknowledged;
        device.completion_events_.pop_front();
        return 0;
    }
    static void ack_cq_events(ibv_cq* base, unsigned count) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        reinterpret_cast<Queue*>(base)->unacknowledged -= static_cast<int>(count);
        device.acknowledged_.notify_all();
    }
    static int get_async_event(ibv_context* context, ibv_async_event* event) {
        FakeDevice& device = FakeDevice::of(context);
        const std::lock_guard lock(device.mutex_);
        eventfd_t value = 0;
        (void)::eventfd_read(context->async_fd, &value);
        if (device.async_events_.empty()) return errno = EAGAIN, -1;
        *event = device.async_events_.front();
        device.async_events_.pop_front();
        return 0;
    }
    static ibv_qp* create_qp(ibv_pd* domain, ibv_qp_init_attr* attributes) {
        FakeDevice& device = FakeDevice::of(domain->context);
        const std::lock_guard lock(device.mutex_);
        if (device.refuses_queue_pairs) return errno = ENOMEM, nullptr;
        const ibv_qp_cap& places = attributes->cap;
        if (places.max_send_wr == 0 || places.max_recv_wr == 0 || places.max_send_sge == 0 || places.max_recv_sge == 0)
            return errno = EINVAL, nullptr;
        auto* const pair = new Pair;
        pair->base.context = domain->context;
        pair->base.pd = domain;
        pair->base.qp_num = ++device.last_number_;
        pair->base.state = IBV_QPS_RESET;
        pair->sends = reinterpret_cast<Queue*>(attributes->send_cq);
        pair->receives = reinterpret_cast<Queue*>(attributes->recv_cq);
        pair->shared = reinterpret_cast<FakeSharedQueue*>(attributes->srq);
        pair->signals_all = attributes->sq_sig_all != 0;
        pair->send_room = attributes->cap.max_send_wr;
        pair->receive_room = attributes->cap.max_recv_wr;
        attributes->cap.max_inline_data = std::min(attributes->cap.max_inline_data, 256u);
        device.pairs_[pair->base.qp_num] = pair;
        ++device.counts_.queue_pairs;
        ++device.counts_.created_queue_pairs;
        return &pair->base;
    }
    static int modify_qp(ibv_qp* base, ibv_qp_attr* attributes, int mask) {
        FakeDevice& device = FakeDevice::of(base->context);
        if ((mask & IBV_QP_STATE) == 0) return 0;
        {
            const std::lock_guard lock(device.mutex_);
            auto* const pair = reinterpret_cast<Pair*>(base);
            pair->state = attributes->qp_state;
            if (pair->state != IBV_QPS_ERR) return 0;
            device.flush(*pair);
            device.tell_last(*pair);
        }
        if (device.after_flush) device.after_flush();
        return 0;
    }
    static int query_qp(ibv_qp*, ibv_qp_attr* attributes, int, ibv_qp_init_attr*) {
        attributes->max_rd_atomic = 4;
        attributes->max_dest_rd_atomic = 0;
        return 0;
    }
    static int destroy_qp(ibv_qp* base) {
        FakeDevice& device = FakeDevice::of(base->context);
        if (device.before_destroy) device.before_destroy();
        const std::lock_guard lock(device.mutex_);
        auto* const pair = reinterpret_cast<Pair*>(base);
        for (auto& [number, other] : device.pairs_)
            if (other->peer == pair) other->peer = nullptr;
        if (device.destroys_results)
            for (Queue* const queue : {pair->sends, pair->receives})
                std::erase_if(queue->results, [&](const ibv_wc& each) { return each.qp_num == base->qp_num; });
        device.pairs_.erase(base->qp_num);
        --device.counts_.queue_pairs;
        delete pair;
        return 0;
    }

    static int poll_cq(ibv_cq* base, int most, ibv_wc* results) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        auto* const queue = reinterpret_cast<Queue*>(base);
        ++device.counts_.polls;
        int taken = 0;
        while (taken < most && !queue->results.empty()) {
            results[taken++] = queue->results.front();
            queue->results.pop_front();
        }
        return taken;
    }
    static int modify_cq(ibv_cq* base, ibv_modify_cq_attr* attributes) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        if (!device.moderates) return EOPNOTSUPP;
        device.counts_.moderations.push_back(attributes->moderate);
        return 0;
    }
    static int query_ece(ibv_qp* base, ibv_ece* options) { return *options = FakeDevice::of(base->context).options, 0; }
    static int set_ece(ibv_qp* base, ibv_ece* options) {
        ibv_ece& own = FakeDevice::of(base->context).options;
        if (options->vendor_id != own.vendor_id) return EINVAL;
        own.options &= options->options;
        return 0;
    }
    static int req_notify_cq(ibv_cq* base, int solicited_only) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        auto* const queue = reinterpret_cast<Queue*>(base);
        queue->solicited_only = queue->armed ? queue->solicited_only && solicited_only : solicited_only != 0;
        queue->armed = true;
        ++device.counts_.event_requests;
        device.event_requested_.notify_all();
        device.counts_.solicited_only = solicited_only != 0;
        return 0;
    }
    static int post_send(ibv_qp* base, ibv_send_wr* wanted, ibv_send_wr** refused) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        auto* const pair = reinterpret_cast<Pair*>(base);
        *refused = wanted;
        if (device.post_error != 0) return std::exchange(device.post_error, 0);
        if (pair->state != IBV_QPS_RTS && pair->state != IBV_QPS_ERR) return EINVAL;
        if (pair->requests.size() == pair->send_room) return ENOMEM;
        FakeRequest request;
        request.id = wanted->wr_id;
        request.opcode = wanted->opcode;
        request.flags = wanted->send_flags;
        request.entries.assign(wanted->sg_list, wanted->sg_list + wanted->num_sge);
        request.remote_address = wanted->wr.rdma.remote_addr;
        request.remote_key = wanted->wr.rdma.rkey;
        if (request.has_immediate()) request.immediate = wanted->imm_data;
        if (wanted->opcode == IBV_WR_LOCAL_INV) request.remote_key = wanted->invalidate_rkey;
        if (wanted->opcode == IBV_WR_BIND_MW) {
            // As rxe: the next key of the window, whose owner counts.
            if (wanted->bind_mw.rkey != ibv_inc_rkey(wanted->bind_mw.mw->rkey)) return EINVAL;
            request.remote_key = wanted->bind_mw.rkey;
            request.part = wanted->bind_mw.bind_info;
        }
        device.counts_.sent.push_back(*wanted);
        device.counts_.sent_entries = request.entries;
        if ((request.flags & IBV_SEND_INLINE) != 0) {
            request.inline_data = request.gathered();
            request.entries.clear();
        }
        ++device.counts_.requests;
        if ((request.flags & IBV_SEND_SIGNALED) != 0) ++device.counts_.signalled;
        pair->requests.push_back(std::move(request));
        if (pair->state == IBV_QPS_ERR) device.flush(*pair);
        if (!device.held_) device.run_pair(*pair);
        return 0;
    }
    static int post_recv(ibv_qp* base, ibv_recv_wr* wanted, ibv_recv_wr** refused) {
        FakeDevice& device = FakeDevice::of(base->context);
        const std::lock_guard lock(device.mutex_);
        auto* const pair = reinterpret_cast<Pair*>(base);
        *refused = wanted;
        if (device.post_error != 0) return std::exchange(device.post_error, 0);
        if (pair->posted.size() == pair->receive_room) return ENOMEM;
        pair->posted.push_back(FakeRequest::receive(*wanted));
        ++device.counts_.receives;
        if (pair->state == IBV_QPS_ERR) device.flush(*pair);
        if (pair->peer && !device.held_) device.run_pair(*pair->peer);
        return 0;
    }
};

FakeDevice::FakeDevice(ibv_transport_type type) {
    device_.transport_type = type;
    std::strcpy(device_.name, "fake0");
    context_.device = this;
    context_.newer.context.device = &device_;
    context_.newer.context.num_comp_vectors = 4;
    context_.newer.context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    context_.newer.sz = sizeof context_.newer;
    context_.newer.modify_cq = &FakeCalls::modify_cq;
    context_.newer.context.async_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    context_.newer.context.ops.poll_cq = &FakeCalls::poll_cq;
    context_.newer.context.ops.req_notify_cq = &FakeCalls::req_notify_cq;
    context_.newer.context.ops.post_send = &FakeCalls::post_send;
    context_.newer.context.ops.post_recv = &FakeCalls::post_recv;
    context_.newer.context.ops.post_srq_recv = &FakeSharedQueue::post;
    context_.newer.context.ops.alloc_mw = &FakeWindows::allocate;
    context_.newer.context.ops.dealloc_mw = &FakeWindows::free;
}

FakeDevice::~FakeDevice() { ::close(context_.newer.context.async_fd); }

VerbsFunctions FakeDevice::functions() const {
    VerbsFunctions ibv{};
    ibv.get_device_name = [](ibv_device* device) -> const char* { return device->name; };
    ibv.close_device = [](ibv_context*) { return 0; };  // the test's own
    ibv.query_device = [](ibv_context* context, ibv_device_attr* told) {
        *told = {};
        std::strcpy(told->fw_ver, "1.2");
        told->phys_port_cnt = 2;
        told->max_mr_size = 1u << 30;
        told->max_qp_wr = 4096;
        told->max_sge = 4;
        told->max_sge_rd = 2;
        told->max_cqe = 1 << 16;
        told->max_srq = told->max_mw = 1024;
        told->max_srq_wr = 1024;
        told->max_srq_sge = 4;
        told->device_cap_flags = FakeCalls::window_flags(context);
        told->max_qp_rd_atom = told->max_qp_init_rd_atom = 16;
        return 0;
    };
    ibv.query_port = [](ibv_context*, std::uint8_t, _compat_ibv_port_attr* told) {
        auto* const port = reinterpret_cast<ibv_port_attr*>(told);
        port->max_msg_sz = 1u << 23;
        port->state = IBV_PORT_ACTIVE;
        port->active_mtu = IBV_MTU_1024;
        port->max_mtu = IBV_MTU_4096;
        port->gid_tbl_len = 4;
        port->link_layer = IBV_LINK_LAYER_INFINIBAND;
        return 0;
    };
    ibv.query_gid_ex = &FakeCalls::query_gid_ex;
    ibv.query_ece = &FakeCalls::query_ece;
    ibv.set_ece = &FakeCalls::set_ece;
    ibv.alloc_pd = &FakeCalls::alloc_pd;
    ibv.dealloc_pd = &FakeCalls::dealloc_pd;
    ibv.reg_mr = &FakeCalls::reg_mr;
    ibv.reg_mr_iova = [](ibv_pd* domain, void* address, std::size_t bytes, std::uint64_t, int access) {
        return FakeCalls::reg_mr(domain, address, bytes, access);
    };
    ibv.dereg_mr = &FakeCalls::dereg_mr;
    ibv.create_comp_channel = &FakeCalls::create_comp_channel;
    ibv.destroy_comp_channel = &FakeCalls::destroy_comp_channel;
    ibv.create_cq = &FakeCalls::create_cq;
    ibv.destroy_cq = &FakeCalls::destroy_cq;
    ibv.get_cq_event = &FakeCalls::get_cq_event;
    ibv.ack_cq_events = &FakeCalls::ack_cq_events;
    ibv.get_async_event = &FakeCalls::get_async_event;
    ibv.ack_async_event = [](ibv_async_event*) {};
    ibv.create_srq = &FakeSharedQueue::create;
    ibv.modify_srq = &FakeSharedQueue::modify;
    ibv.destroy_srq = &FakeSharedQueue::destroy;
    ibv.create_qp = &FakeCalls::create_qp;
    ibv.modify_qp = &FakeCalls::modify_qp;
    ibv.query_qp = &FakeCalls::query_qp;
    ibv.destroy_qp = &FakeCalls::destroy_qp;
    ibv.wc_status_str = [](ibv_wc_status) -> const char* { return "a failure"; };
    ibv.event_type_str = [](ibv_event_type) -> const char* { return "an event"; };
    return ibv;
}

}  // namespace opennd::verbs
