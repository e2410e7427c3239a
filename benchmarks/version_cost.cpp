// SPDX-License-Identifier: MIT
//
// What version 1 of the interface, and that of kernel code, cost beside version 2: the same exchange in turns, a few
// milliseconds each, between two threads of one process on the same two processors, so that both meet the same state of the
// machine. Prints, for each exchange, the median and the quartiles of the ratio of the two times. OPENND_TRANSPORT=shm is
// the transport meant.
#include "connected_sides.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using namespace nd;
using benchmark::need;

constexpr ULONG kDepth = 64;
constexpr std::size_t kBytes = 1 << 20;
constexpr int kOutstanding = 16;
constexpr std::size_t kApart = 128;  // bytes between the data of two threads

// Where a side's messages and its peer's Writes are, and the status of a post.
class Side {
public:
    explicit Side(const benchmark::Side& side) : whole_(side.memory.part(0, kBytes)), peer_(side.peer) {}
    volatile char* memory() { return reinterpret_cast<volatile char*>(whole_.data()); }

protected:
    const Piece whole_;
    const RemoteTarget peer_;
};

// The calls of a side, in the words that all interfaces have in common.
class alignas(kApart) Side2 : public Side {
public:
    explicit Side2(const benchmark::Side& side)
        : Side(side), queue_pair_(side.queue_pair.nd2()), results_(side.results.nd2()) {}
    void receive(ULONG bytes) {
        const ND2_SGE part = this->part(bytes);
        need(queue_pair_->Receive(nullptr, &part, 1), "Receive");
    }
    void send(ULONG bytes, ULONG flags) {
        const ND2_SGE part = this->part(bytes);
        need(queue_pair_->Send(nullptr, &part, 1, flags), "Send");
    }
    void write(ULONG bytes, ULONG flags) {
        const ND2_SGE part = this->part(bytes);
        need(queue_pair_->Write(nullptr, &part, 1, peer_.address, peer_.token, flags), "Write");
    }
    void read(ULONG bytes) {
        const ND2_SGE part = this->part(bytes);
        need(queue_pair_->Read(nullptr, &part, 1, peer_.address, peer_.token, 0), "Read");
    }
    int poll() {
        std::array<ND2_RESULT, kOutstanding> results;
        return static_cast<int>(results_->GetResults(results.data(), kOutstanding));
    }

private:
    ND2_SGE part(ULONG bytes) const { return {whole_.nd2.Buffer, bytes, whole_.nd2.MemoryRegionToken}; }

    IND2QueuePair* const queue_pair_;
    IND2CompletionQueue* const results_;
};

class alignas(kApart) Side1 : public Side {
public:
    explicit Side1(const benchmark::Side& side)
        : Side(side), endpoint_(side.queue_pair.nd1()), results_(side.results.nd1()) {}
    void receive(ULONG bytes) {
        const ND_SGE part = this->part(bytes);
        need(endpoint_->Receive(next(), &part, 1), "Receive");
    }
    void send(ULONG bytes, ULONG flags) {
        const ND_SGE part = this->part(bytes);
        need(endpoint_->Send(next(), &part, 1, flags), "Send");
    }
    void write(ULONG bytes, ULONG flags) {
        const ND_SGE part = this->part(bytes);
        need(endpoint_->Write(next(), &part, 1, &peer_.descriptor, 0, flags), "Write");
    }
    void read(ULONG bytes) {
        const ND_SGE part = this->part(bytes);
        need(endpoint_->Read(next(), &part, 1, &peer_.descriptor, 0, 0), "Read");
    }
    int poll() {
        std::array<ND_RESULT*, kOutstanding> results;
        return static_cast<int>(results_->GetResults(results.data(), kOutstanding));
    }

private:
    ND_SGE part(ULONG bytes) const { return {whole_.nd1.pAddr, bytes, whole_.nd1.hMr}; }
    ND_RESULT* next() { return &requests_[used_++ % requests_.size()]; }

    INDEndpoint* const endpoint_;
    INDCompletionQueue* const results_;
    std::array<ND_RESULT, 4 * kDepth> requests_{};  // more than can be outstanding
    std::size_t used_ = 0;
};

class alignas(kApart) SideNdk : public Side {
public:
    explicit SideNdk(const benchmark::Side& side)
        : Side(side), queue_pair_(side.queue_pair.ndk()), results_(side.results.ndk()->get()) {}
    void receive(ULONG bytes) {
        const NDK_SGE part = this->part(bytes);
        need(queue_pair_->Dispatch->NdkReceive(queue_pair_, nullptr, &part, 1), "NdkReceive");
    }
    void send(ULONG bytes, ULONG flags) {
        const NDK_SGE part = this->part(bytes);
        need(queue_pair_->Dispatch->NdkSend(queue_pair_, nullptr, &part, 1, flags), "NdkSend");
    }
    void write(ULONG bytes, ULONG flags) {
        const NDK_SGE part = this->part(bytes);
        need(queue_pair_->Dispatch->NdkWrite(queue_pair_, nullptr, &part, 1, peer_.address, peer_.ndk_token, flags),
             "NdkWrite");
    }
    void read(ULONG bytes) {
        const NDK_SGE part = this->part(bytes);
        need(queue_pair_->Dispatch->NdkRead(queue_pair_, nullptr, &part, 1, peer_.address, peer_.ndk_token, 0),
             "NdkRead");
    }
    int poll() {
        std::array<NDK_RESULT, kOutstanding> results;
        return static_cast<int>(results_->Dispatch->NdkGetCqResults(results_, results.data(), kOutstanding));
    }

private:
    NDK_SGE part(ULONG bytes) const {
        NDK_SGE part = whole_.ndk;
        part.Length = bytes;
        return part;
    }

    NDK_QP* const queue_pair_;
    NDK_CQ* const results_;
};
static_assert(NDK_OP_FLAG_SILENT_SUCCESS == ND_OP_FLAG_SILENT_SUCCESS);  // the only one that is used

template <Api kApi, typename SideOfApi>
struct Connected {
    benchmark::ConnectedSides sides{kApi, kBytes, MemoryKind::mappable, kDepth};
    SideOfApi active{sides.active}, passive{sides.passive};
};
using Version2 = Connected<Api::nd2, Side2>;
using Version1 = Connected<Api::nd1, Side1>;
using Kernel = Connected<Api::ndk, SideNdk>;

enum class Role { active, passive };

struct Exchange {
    enum class Kind { send_ping_pong, write_ping_pong, reads, send_stream, write_stream } kind;
    const char* name;
    ULONG bytes;
    int count;
};

// Both threads call it; `meet` returns when both have.
template <typename Side, typename Meet>
void exchange_sends(Side& side, Role role, const Exchange& exchange, Meet&& meet) {
    side.receive(exchange.bytes);
    meet();
    for (int i = 0; i < exchange.count; ++i) {
        if (role == Role::active) side.send(exchange.bytes, ND_OP_FLAG_SILENT_SUCCESS);
        while (side.poll() == 0) {
        }
        if (i + 1 < exchange.count) side.receive(exchange.bytes);
        if (role == Role::passive) side.send(exchange.bytes, ND_OP_FLAG_SILENT_SUCCESS);
    }
}

// The last byte tells that a Write has arrived.
template <typename Side, typename Meet>
void exchange_writes(Side& side, Role role, const Exchange& exchange, Meet&& meet) {
    volatile char* const last = side.memory() + exchange.bytes - 1;
    *last = 0;
    meet();
    for (int i = 0; i < exchange.count; ++i) {
        const char ping = static_cast<char>(1 + i % 2), pong = static_cast<char>(3 + i % 2);
        if (role == Role::passive)
            while (*last != ping) {
            }
        *last = role == Role::active ? ping : pong;
        side.write(exchange.bytes, ND_OP_FLAG_SILENT_SUCCESS);
        if (role == Role::active)
            while (*last != pong) {
            }
        (void)side.poll();
    }
}

// `outstanding` requests at a time, each reported.
template <typename Side, typename Post>
void keep_posting(Side& side, int count, int outstanding, Post&& post) {
    for (int posted = 0, reported = 0; reported < count; reported += side.poll())
        for (; posted < count && posted - reported < outstanding; ++posted) post();
}

template <typename Side, typename Meet>
void stream_sends(Side& side, Role role, const Exchange& exchange, Meet&& meet) {
    if (role == Role::active) {
        meet();
        return keep_posting(side, exchange.count, kOutstanding, [&] { side.send(exchange.bytes, 0); });
    }
    int posted = 0;
    for (; posted < 2 * kOutstanding; ++posted) side.receive(exchange.bytes);
    meet();
    for (int taken = 0; taken < exchange.count;) {
        const int more = side.poll();
        taken += more;
        for (int i = 0; i < more && posted < exchange.count; ++i, ++posted) side.receive(exchange.bytes);
    }
}

template <typename Side, typename Meet>
void run(Side& side, Role role, const Exchange& exchange, Meet&& meet) {
    using enum Exchange::Kind;
    if (exchange.kind == send_ping_pong) return exchange_sends(side, role, exchange, meet);
    if (exchange.kind == write_ping_pong) return exchange_writes(side, role, exchange, meet);
    if (exchange.kind == send_stream) return stream_sends(side, role, exchange, meet);
    meet();
    if (role == Role::passive) return;
    if (exchange.kind == reads)
        keep_posting(side, exchange.count, 1, [&] { side.read(exchange.bytes); });
    else
        keep_posting(side, exchange.count, kOutstanding, [&] { side.write(exchange.bytes, 0); });
}

void pin_to(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

template <typename Other>
class Comparison {
public:
    // Time of the other one divided by that of version 2, in turns.
    double ratio(const Exchange& exchange, bool other_first) {
        const double first = other_first ? time(other_, exchange) : time(two_, exchange);
        const double second = other_first ? time(two_, exchange) : time(other_, exchange);
        return other_first ? first / second : second / first;
    }

private:
    template <typename Version>
    static double time(Version& version, const Exchange& exchange) {
        using Clock = std::chrono::steady_clock;
        std::atomic<int> met{0};
        const auto meet = [&] {
            met.fetch_add(1);
            while (met.load() < 2) {
            }
        };
        std::thread other([&] {
            pin_to(1);
            run(version.passive, Role::passive, exchange, meet);
        });
        Clock::time_point start;
        run(version.active, Role::active, exchange, [&] {
            meet();
            start = Clock::now();
        });
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        other.join();
        while (version.active.poll() + version.passive.poll() != 0) {
        }
        return took;
    }

    Version2 two_;
    Other other_;
};

constexpr Exchange kExchanges[] = {
    {Exchange::Kind::send_ping_pong, "send_lat", 8, 20000},
    {Exchange::Kind::send_ping_pong, "send_lat", 4096, 10000},
    {Exchange::Kind::write_ping_pong, "write_lat", 8, 20000},
    {Exchange::Kind::write_ping_pong, "write_lat", 4096, 10000},
    {Exchange::Kind::reads, "read_lat", 8, 50000},
    {Exchange::Kind::reads, "read_lat", 4096, 30000},
    {Exchange::Kind::send_stream, "send_bw", 65536, 1000},
    {Exchange::Kind::send_stream, "send_bw", 1 << 20, 100},
    {Exchange::Kind::write_stream, "write_bw", 65536, 1000},
    {Exchange::Kind::write_stream, "write_bw", 1 << 20, 100},
};

template <typename Other>
void compare(const char* name, int turns) {
    Comparison<Other> comparison;
    for (const Exchange& exchange : kExchanges) {
        std::vector<double> ratios;
        for (int turn = 0; turn < turns; ++turn) ratios.push_back(comparison.ratio(exchange, turn % 2 == 0));
        std::sort(ratios.begin(), ratios.end());
        const auto at = [&](int quarter) { return ratios[ratios.size() * static_cast<std::size_t>(quarter) / 4]; };
        std::printf("%-9s %8u  %s/nd2 %.3f  quartiles %.3f %.3f\n", exchange.name, exchange.bytes, name, at(2), at(1),
                    at(3));
        std::fflush(stdout);
    }
}

}  // namespace

// Arguments: how many turns of each exchange, default 400; nd1 or ndk, default both.
int main(int argc, char** argv) {
    const int turns = argc > 1 ? std::atoi(argv[1]) : 400;
    const char* const which = argc > 2 ? argv[2] : nullptr;
    if (turns < 4) return 2;
    pin_to(0);
    if (which == nullptr || std::strcmp(which, "nd1") == 0) compare<Version1>("nd1", turns);
    if (which == nullptr || std::strcmp(which, "ndk") == 0) compare<Kernel>("ndk", turns);
}
