// SPDX-License-Identifier: MIT
//
// The peer in the guest: rdma-core over the kernel's soft iWARP. It follows the commands on the connection
// (peer_protocol.h).
//
//   verbs_peer listen ADDRESS PORT accept|reject     takes one connection request, and sends its private data back
//   verbs_peer listen ADDRESS PORT deaf              takes one, posts no receive, and wants no message to be sent again
//   verbs_peer connect ADDRESS PORT BYTES [READS]    with BYTES octets of private data; prints the reply's
//
// Exit code 0 when the connection ended as it was told to, 3 when the request was rejected.
#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "lab/peer_protocol.h"

namespace opennd::lab {
namespace {

constexpr int kRejected = 3;
constexpr std::uint8_t kReads = 16;

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "verbs_peer: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

void need(int status, const char* what) {
    if (status != 0) fail(what);
}

class Peer {
public:
    explicit Peer(rdma_cm_id* id) : id_(id), memory_(kMemory), command_(), answer_() {
        region_ = registered(memory_.data(), memory_.size());
        command_region_ = registered(&command_, sizeof command_);
        answer_region_ = registered(&answer_, sizeof answer_);
        await_command();
    }

    // The initiator's side must speak first.
    void hello() { answer(0); }

    // Returns false if told to end.
    bool obey() {
        ibv_wc completion;
        if (rdma_get_recv_comp(id_, &completion) != 1) fail("waiting for a command");
        if (completion.status != IBV_WC_SUCCESS) return false;  // the connection ended
        return carry_out(command_);
    }

private:
    ibv_mr* registered(void* memory, std::size_t bytes) {
        ibv_mr* const region = ibv_reg_mr(id_->pd, memory, bytes,
                                          IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
        if (region == nullptr) fail("registering memory");
        return region;
    }

    void await_command() {
        need(rdma_post_recv(id_, nullptr, &command_, sizeof command_, command_region_), "posting a receive");
    }

    void answer(std::uint32_t failure) {
        answer_ = {failure, htonl(region_->rkey), reinterpret_cast<std::uint64_t>(memory_.data()), memory_.size()};
        need(rdma_post_send(id_, nullptr, &answer_, sizeof answer_, answer_region_, IBV_SEND_SIGNALED), "answering");
        (void)sent();
    }

    std::uint32_t sent() {
        ibv_wc completion;
        if (rdma_get_send_comp(id_, &completion) != 1) fail("waiting for a result");
        return completion.status;
    }

    std::uint32_t post(const Command& command, ibv_wr_opcode opcode) {
        ibv_sge piece{reinterpret_cast<std::uint64_t>(memory_.data() + command.offset),
                      static_cast<std::uint32_t>(command.length), region_->lkey};
        ibv_send_wr request{}, *bad = nullptr;
        request.sg_list = &piece;
        request.num_sge = 1;
        request.opcode = opcode;
        request.send_flags = IBV_SEND_SIGNALED | (command.inlined != 0 ? unsigned{IBV_SEND_INLINE} : 0u);
        request.wr.rdma.remote_addr = command.address;
        request.wr.rdma.rkey = ntohl(command.token);  // siw takes the key of an invalidation from here as well
        if (opcode == IBV_WR_SEND_WITH_INV) request.invalidate_rkey = ntohl(command.token);
        need(ibv_post_send(id_->qp, &request, &bad), "posting");
        return sent();
    }

    // The number of the request counts the Writes and Reads; a Read follows each Write.
    void post_traffic(const Command& command, std::uint32_t number) {
        const bool write = number % 2 == 0;
        const std::uint64_t place = (write ? 0 : kPart) + number / 2 % kPieces * kPiece;
        ibv_sge piece{reinterpret_cast<std::uint64_t>(memory_.data() + place), kPiece, region_->lkey};
        ibv_send_wr request{}, *bad = nullptr;
        request.sg_list = &piece;
        request.num_sge = 1;
        request.opcode = write ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
        request.send_flags = IBV_SEND_SIGNALED;
        request.wr.rdma.remote_addr = command.address + place;
        request.wr.rdma.rkey = ntohl(command.token);
        need(ibv_post_send(id_->qp, &request, &bad), "posting");
    }

    std::uint32_t traffic(const Command& command) {
        std::uint32_t posted = 0;
        for (std::uint32_t completed = 0; completed < command.count; ++completed) {
            for (; posted < command.count && posted - completed < kOutstanding; ++posted) post_traffic(command, posted);
            if (const std::uint32_t failure = sent(); failure != 0) return failure;
        }
        return 0;
    }

    std::uint32_t check(const Command& command) const {
        for (std::uint64_t i = 0; i < command.length; ++i)
            if (memory_[command.offset + i] != pattern_octet(command.seed, i)) return kOtherPattern;
        return 0;
    }

    void receive(const Command& command) {
        need(rdma_post_recv(id_, nullptr, memory_.data() + command.offset, command.length, region_),
             "posting a receive");
        answer(0);
        ibv_wc completion;
        if (rdma_get_recv_comp(id_, &completion) != 1) fail("waiting for a message");
        std::uint32_t failure = completion.status;
        if (failure == 0 && completion.byte_len != command.length) failure = kOtherPattern;
        await_command();
        answer(failure != 0 ? failure : check(command));
    }

    bool carry_out(const Command command) {
        if (command.verb == Verb::die) _exit(0);
        if (command.verb == Verb::receive) return receive(command), true;
        await_command();
        switch (command.verb) {
            case Verb::fill:
                for (std::uint64_t i = 0; i < command.length; ++i)
                    memory_[command.offset + i] = pattern_octet(command.seed, i);
                return answer(0), true;
            case Verb::check: return answer(check(command)), true;
            case Verb::send: return answer(post(command, IBV_WR_SEND)), true;
            case Verb::send_invalidate: return answer(post(command, IBV_WR_SEND_WITH_INV)), true;
            case Verb::write: return answer(post(command, IBV_WR_RDMA_WRITE)), true;
            case Verb::read: return answer(post(command, IBV_WR_RDMA_READ)), true;
            case Verb::write_and_wait: return (void)post(command, IBV_WR_RDMA_WRITE), true;
            case Verb::read_and_wait: return (void)post(command, IBV_WR_RDMA_READ), true;
            case Verb::send_and_wait: return (void)post(command, IBV_WR_SEND), true;
            case Verb::traffic: return answer(traffic(command)), true;
            case Verb::leave: return need(rdma_disconnect(id_), "disconnecting"), false;
            default: return answer(0), true;
        }
    }

    rdma_cm_id* const id_;
    std::vector<unsigned char> memory_;
    Command command_;
    Answer answer_;
    ibv_mr *region_ = nullptr, *command_region_ = nullptr, *answer_region_ = nullptr;
};

rdma_cm_id* endpoint(const char* address, const char* port, int flags) {
    rdma_addrinfo hints{}, *found = nullptr;
    hints.ai_flags = flags;
    hints.ai_port_space = RDMA_PS_TCP;
    need(rdma_getaddrinfo(address, port, &hints, &found), "resolving the address");
    ibv_qp_init_attr depths{};
    depths.cap.max_send_wr = depths.cap.max_recv_wr = 2 * kOutstanding;
    depths.cap.max_send_sge = depths.cap.max_recv_sge = 1;
    depths.cap.max_inline_data = 64;
    depths.sq_sig_all = 0;
    rdma_cm_id* id = nullptr;
    need(rdma_create_ep(&id, found, nullptr, &depths), "making an endpoint");
    return id;
}

rdma_conn_param terms(const std::vector<unsigned char>& data, std::uint8_t reads) {
    rdma_conn_param parameters{};
    parameters.private_data = data.data();
    parameters.private_data_len = static_cast<std::uint8_t>(data.size());
    parameters.responder_resources = parameters.initiator_depth = reads;
    return parameters;
}

// The end of the connection ends this program: siw does not give all receives back then.
void end_with(rdma_cm_id* id) {
    std::thread([id] {
        rdma_cm_event* event = nullptr;
        while (rdma_get_cm_event(id->channel, &event) == 0) {
            if (event->event == RDMA_CM_EVENT_DISCONNECTED) _exit(0);
            rdma_ack_cm_event(event);
        }
    }).detach();
}

// Waits for the end of a connection that has no receives.
int be_deaf(rdma_cm_id* id) {
    rdma_conn_param parameters{};  // rnr_retry_count 0, too
    need(rdma_accept(id, &parameters), "accepting");
    rdma_cm_event* event = nullptr;
    while (rdma_get_cm_event(id->channel, &event) == 0) {
        if (event->event == RDMA_CM_EVENT_DISCONNECTED) return 0;
        rdma_ack_cm_event(event);
    }
    fail("waiting for the end");
}

int listen(const char* address, const char* port, const std::string& how) {
    rdma_cm_id *const listener = endpoint(address, port, RAI_PASSIVE), *id = nullptr;
    need(rdma_listen(listener, 4), "listening");
    std::puts("listening");
    std::fflush(stdout);
    need(rdma_get_request(listener, &id), "taking a request");
    const auto* const data = static_cast<const unsigned char*>(id->event->param.conn.private_data);
    const std::vector<unsigned char> heard(data, data + id->event->param.conn.private_data_len);
    if (how == "deaf") return be_deaf(id);
    if (how == "reject") {
        need(rdma_reject(id, heard.data(), static_cast<std::uint8_t>(heard.size())), "rejecting");
        return 0;
    }
    Peer peer(id);
    rdma_conn_param parameters = terms(heard, kReads);
    need(rdma_accept(id, &parameters), "accepting");
    end_with(id);
    while (peer.obey()) {
    }
    return 0;
}

void print_answer(const rdma_cm_event* event) {
    const auto* const data = static_cast<const unsigned char*>(event->param.conn.private_data);
    std::printf("answer");
    for (int i = 0; i < event->param.conn.private_data_len; ++i) std::printf(" %02x", data[i]);
    std::puts("");
    std::fflush(stdout);
}

int connect(const char* address, const char* port, std::size_t bytes, std::uint8_t reads) {
    rdma_cm_id* const id = endpoint(address, port, 0);
    std::vector<unsigned char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern_octet(0, i);
    rdma_conn_param parameters = terms(data, reads);
    Peer peer(id);
    const int status = rdma_connect(id, &parameters);
    if (id->event != nullptr) print_answer(id->event);
    if (status != 0 && errno == ECONNREFUSED) return kRejected;
    need(status, "connecting");
    end_with(id);
    peer.hello();
    while (peer.obey()) {
    }
    return 0;
}

}  // namespace
}  // namespace opennd::lab

int main(int argc, char** argv) {
    using namespace opennd::lab;
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 4 && words[0] == "listen") return listen(argv[2], argv[3], words[3]);
    if ((words.size() == 4 || words.size() == 5) && words[0] == "connect")
        return connect(argv[2], argv[3], std::stoul(words[3]),
                       static_cast<std::uint8_t>(words.size() == 5 ? std::stoul(words[4]) : kReads));
    std::fprintf(stderr,
                 "usage: verbs_peer listen ADDRESS PORT accept|reject|deaf | connect ADDRESS PORT BYTES [READS]\n");
    return 2;
}
