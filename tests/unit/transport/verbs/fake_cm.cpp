// SPDX-License-Identifier: MIT
// See fake_cm.h.
#include "unit/transport/verbs/fake_cm.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace opennd::verbs {

struct FakeCm::Id {
    rdma_cm_id id{};  // first: the two have one address
    int reported = 0, acknowledged = 0;
};

struct FakeCm::Event {
    rdma_cm_event event{};  // first
    Id* addressee = nullptr;
    std::vector<std::byte> data;
};

namespace {

FakeCm* of_test = nullptr;  // the functions of a table know no object

void put(const Address& address, sockaddr_storage& to) { to = address.to_sockaddr(); }

}  // namespace

struct FakeCmCalls {
    static FakeCm::Id& of(rdma_cm_id* id) { return *reinterpret_cast<FakeCm::Id*>(id); }

    static rdma_event_channel* create_event_channel() {
        if (of_test->outcome("create_event_channel") != 0) return nullptr;
        of_test->channel_.fd = ::eventfd(0, EFD_CLOEXEC);
        return &of_test->channel_;
    }
    static void destroy_event_channel(rdma_event_channel* channel) { ::close(channel->fd); }

    static int create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space space) {
        if (of_test->outcome("create_id") != 0) return -1;
        const std::lock_guard lock(of_test->mutex_);
        auto* const made = new FakeCm::Id;
        made->id.channel = channel;
        made->id.context = context;
        made->id.ps = space;
        of_test->ids_.insert(made);
        of_test->newest_ = made;
        *id = &made->id;
        return 0;
    }
    static int destroy_id(rdma_cm_id* id) {
        FakeCm::Id& gone = of(id);
        {
            std::unique_lock lock(of_test->mutex_);
            std::erase_if(of_test->events_, [&](const auto& event) { return event->addressee == &gone; });
            of_test->changed_.wait(lock, [&] { return gone.acknowledged == gone.reported; });
            of_test->journal_.add("destroy_id");
            of_test->ids_.erase(&gone);  // the last step: a test that sees no id any more ends
            delete &gone;
        }
        return 0;
    }

    static int bind_addr(rdma_cm_id* id, sockaddr* address) {
        const std::optional<Address> wanted = Address::from(address, sizeof(sockaddr_storage));
        if (of_test->outcome(wanted->port() == 0 ? "bind_addr:0" : "bind_addr") != 0) return -1;
        put(wanted->port() == 0 ? wanted->with_port(40000) : *wanted, id->route.addr.src_storage);
        id->verbs = of_test->context;
        id->port_num = of_test->port;
        return 0;
    }
    static int resolve_addr(rdma_cm_id* id, sockaddr*, sockaddr* to, int) {
        std::memcpy(&id->route.addr.dst_storage, to,
                    to->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in));
        return of_test->outcome("resolve_addr");
    }
    static int resolve_route(rdma_cm_id*, int) { return of_test->outcome("resolve_route"); }
    static int init_qp_attr(rdma_cm_id*, ibv_qp_attr* attributes, int* mask) {
        if (attributes->qp_state == IBV_QPS_INIT) {
            attributes->pkey_index = of_test->partition;
            attributes->port_num = 1;
            *mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
            return of_test->outcome("init_qp_attr INIT");
        }
        const bool receives = attributes->qp_state == IBV_QPS_RTR;
        attributes->max_dest_rd_atomic = attributes->max_rd_atomic = 99;
        attributes->rnr_retry = 5;
        attributes->timeout = 1;
        *mask =
            IBV_QP_STATE | (receives ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER | FakeCm::kOfEthernet
                                     : IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_TIMEOUT);
        return of_test->outcome(receives ? "init_qp_attr RTR" : "init_qp_attr RTS");
    }
    static int with_terms(const char* call, rdma_conn_param* terms) {
        {
            const std::lock_guard lock(of_test->mutex_);
            const auto* const data = static_cast<const std::byte*>(terms->private_data);
            of_test->terms_ = *terms;
            of_test->data_.assign(data, data + terms->private_data_len);
        }
        return of_test->outcome(call);
    }
    static int connect(rdma_cm_id*, rdma_conn_param* terms) { return with_terms("connect", terms); }
    static int accept(rdma_cm_id*, rdma_conn_param* terms) { return with_terms("accept", terms); }
    static int establish(rdma_cm_id*) { return of_test->outcome("establish"); }
    static int listen(rdma_cm_id*, int) { return of_test->outcome("listen"); }
    static int reject(rdma_cm_id*, const void* data, std::uint8_t bytes) {
        const std::lock_guard lock(of_test->mutex_);
        const auto* const octets = static_cast<const std::byte*>(data);
        of_test->data_.assign(octets, octets + bytes);
        of_test->journal_.add("reject");
        return 0;
    }
    static int disconnect(rdma_cm_id*) { return of_test->outcome("disconnect"); }
    static int notify(rdma_cm_id*, ibv_event_type) { return of_test->outcome("notify"); }
    static int set_option(rdma_cm_id*, int, int name, void* value, std::size_t) {
        if (name != RDMA_OPTION_ID_TOS) return 0;
        return of_test->outcome("traffic class " + std::to_string(*static_cast<const std::uint8_t*>(value)));
    }

    static int set_local_ece(rdma_cm_id*, ibv_ece* options) {
        return of_test->outcome("offer options " + std::to_string(options->options));
    }
    static int get_remote_ece(rdma_cm_id*, ibv_ece* options) { return *options = of_test->peer_options, 0; }

    static int get_cm_event(rdma_event_channel*, rdma_cm_event** event) {
        const std::lock_guard lock(of_test->mutex_);
        if (of_test->events_.empty()) {
            errno = EAGAIN;
            return -1;
        }
        FakeCm::Event* const next = of_test->events_.front().release();
        of_test->events_.pop_front();
        ++next->addressee->reported;
        *event = &next->event;
        return 0;
    }
    static int ack_cm_event(rdma_cm_event* event) {
        const std::lock_guard lock(of_test->mutex_);
        auto* const done = reinterpret_cast<FakeCm::Event*>(event);
        ++done->addressee->acknowledged;
        of_test->changed_.notify_all();
        std::ranges::fill(done->data, std::byte{0xEE});  // whoever still reads it reads nonsense
        delete done;
        return 0;
    }
};

FakeCm::FakeCm(Journal& journal) : journal_(journal) {
    of_test = this;
    using Calls = FakeCmCalls;
    functions_.create_event_channel = Calls::create_event_channel;
    functions_.destroy_event_channel = Calls::destroy_event_channel;
    functions_.create_id = Calls::create_id;
    functions_.destroy_id = Calls::destroy_id;
    functions_.bind_addr = Calls::bind_addr;
    functions_.resolve_addr = Calls::resolve_addr;
    functions_.resolve_route = Calls::resolve_route;
    functions_.init_qp_attr = Calls::init_qp_attr;
    functions_.connect = Calls::connect;
    functions_.accept = Calls::accept;
    functions_.establish = Calls::establish;
    functions_.listen = Calls::listen;
    functions_.reject = Calls::reject;
    functions_.disconnect = Calls::disconnect;
    functions_.notify = Calls::notify;
    functions_.set_option = Calls::set_option;
    functions_.set_local_ece = Calls::set_local_ece;
    functions_.get_remote_ece = Calls::get_remote_ece;
    functions_.get_cm_event = Calls::get_cm_event;
    functions_.ack_cm_event = Calls::ack_cm_event;
}

FakeCm::~FakeCm() { of_test = nullptr; }

void FakeCm::fail(const std::string& call, int error) {
    const std::lock_guard lock(mutex_);
    errors_[call] = error;
}

void FakeCm::hold(const std::string& call) {
    const std::lock_guard lock(mutex_);
    held_.insert(call);
}

void FakeCm::let_go() {
    const std::lock_guard lock(mutex_);
    held_.clear();
    changed_.notify_all();
}

int FakeCm::outcome(const std::string& call) {
    journal_.add(call);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !held_.contains(call); });
    errno = errors_[call];
    return errno == 0 ? 0 : -1;
}

void FakeCm::tell_locked(Id& to, rdma_cm_event event, const Told& what) {
    const std::vector<std::byte> data =
        what.octets.empty() ? std::vector<std::byte>(what.data, std::byte{7}) : what.octets;
    auto told = std::make_unique<Event>();
    told->event = event;
    told->addressee = &to;
    told->data = data;
    told->event.param.conn.private_data = data.empty() ? nullptr : told->data.data();
    told->event.param.conn.private_data_len = static_cast<std::uint8_t>(data.size());
    events_.push_back(std::move(told));
    ::eventfd_write(channel_.fd, 1);
}

void FakeCm::tell(rdma_cm_id* id, const Told& told) {
    const std::lock_guard lock(mutex_);
    rdma_cm_event event{};
    event.id = id;
    event.event = told.type;
    event.status = told.status;
    event.param.conn.responder_resources = told.inbound;
    event.param.conn.initiator_depth = told.outbound;
    event.param.conn.srq = told.shares;
    tell_locked(FakeCmCalls::of(id), event, told);
}

rdma_cm_id* FakeCm::ask(rdma_cm_id* listener, const Told& told, const Address& local, const Address& peer) {
    const std::lock_guard lock(mutex_);
    auto* const made = new Id;
    made->id = *listener;
    put(local, made->id.route.addr.src_storage);
    put(peer, made->id.route.addr.dst_storage);
    ids_.insert(made);
    rdma_cm_event event{};
    event.id = &made->id;
    event.listen_id = listener;
    event.event = RDMA_CM_EVENT_CONNECT_REQUEST;
    event.param.conn.responder_resources = told.inbound;
    event.param.conn.initiator_depth = told.outbound;
    event.param.conn.srq = told.shares;
    tell_locked(FakeCmCalls::of(listener), event, told);
    return &made->id;
}

void FakeCm::end_all() {
    const std::lock_guard lock(mutex_);
    for (Id* const id : ids_) {
        rdma_cm_event event{};
        event.id = &id->id;
        event.event = RDMA_CM_EVENT_DISCONNECTED;
        tell_locked(*id, event, {.type = event.event});
    }
}

rdma_cm_id* FakeCm::newest() const {
    const std::lock_guard lock(mutex_);
    return &newest_->id;
}

rdma_conn_param FakeCm::last_terms() const {
    const std::lock_guard lock(mutex_);
    return terms_;
}

std::vector<std::byte> FakeCm::last_data() const {
    const std::lock_guard lock(mutex_);
    return data_;
}

std::size_t FakeCm::ids() const {
    const std::lock_guard lock(mutex_);
    return ids_.size();
}

}  // namespace opennd::verbs
