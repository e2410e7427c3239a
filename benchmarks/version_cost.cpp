// SPDX-License-Identifier: MIT
//
// What version 1 of the interface, and that of kernel code, cost beside version 2: the same exchange in turns, a few
// milliseconds each, between two threads of one process on the same two processors, so that both meet the same state of the
// machine. Prints, for each exchange, the median and the quartiles of the ratio of the two times. OPENND_TRANSPORT=shm is
// the transport meant.
#include "../examples/connected_pair.h"
#include "connected_endpoints.h"
#include "connected_ndk.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using namespace example;

constexpr ULONG kDepth = 64;
constexpr std::size_t kBytes = 1 << 20;
constexpr int kOutstanding = 16;
constexpr std::size_t kApart = 128;  // bytes between the data of two threads

// A side of a connection, in the words that all have in common.
class alignas(kApart) Side2 {
public:
    Side2(Memory& own, Memory& other, End& end) : own_(own), other_(other), end_(end) {}
    void receive(ULONG bytes) {
        const ND2_SGE part = own_.part(bytes);
        need(end_.queue_pair->Receive(nullptr, &part, 1), "Receive");
    }
    void send(ULONG bytes, ULONG flags) {
        const ND2_SGE part = own_.part(bytes);
        need(end_.queue_pair->Send(nullptr, &part, 1, flags), "Send");
    }
    void write(ULONG bytes, ULONG flags) {
        const ND2_SGE part = own_.part(bytes);
        need(end_.queue_pair->Write(nullptr, &part, 1, other_.address(), other_.token(), flags), "Write");
    }
    void read(ULONG bytes) {
        const ND2_SGE part = own_.part(bytes);
        need(end_.queue_pair->Read(nullptr, &part, 1, other_.address(), other_.token(), 0), "Read");
    }
    int poll() {
        std::array<ND2_RESULT, kOutstanding> results;
        return static_cast<int>(end_.results->GetResults(results.data(), kOutstanding));
    }
    // Where the peer's Writes go, and this side's come from.
    volatile char* memory() { return reinterpret_cast<volatile char*>(own_.address()); }

private:
    Memory &own_, &other_;
    End& end_;
};

class alignas(kApart) Side1 {
public:
    Side1(v1::Memory& own, v1::End& end, v1::Window& other) : own_(own), end_(end), other_(other) {}
    void receive(ULONG bytes) {
        const ND_SGE part = own_.part(bytes);
        need(end_.endpoint->Receive(next(), &part, 1), "Receive");
    }
    void send(ULONG bytes, ULONG flags) {
        const ND_SGE part = own_.part(bytes);
        need(end_.endpoint->Send(next(), &part, 1, flags), "Send");
    }
    void write(ULONG bytes, ULONG flags) {
        const ND_SGE part = own_.part(bytes);
        need(end_.endpoint->Write(next(), &part, 1, other_.descriptor(), 0, flags), "Write");
    }
    void read(ULONG bytes) {
        const ND_SGE part = own_.part(bytes);
        need(end_.endpoint->Read(next(), &part, 1, other_.descriptor(), 0, 0), "Read");
    }
    int poll() {
        std::array<ND_RESULT*, kOutstanding> results;
        return static_cast<int>(end_.results->GetResults(results.data(), kOutstanding));
    }
    volatile char* memory() { return static_cast<volatile char*>(own_.start()); }

private:
    ND_RESULT* next() { return &results_[used_++ % results_.size()]; }

    v1::Memory& own_;
    v1::End& end_;
    v1::Window& other_;
    std::array<ND_RESULT, 4 * kDepth> results_{};  // more than can be outstanding
    std::size_t used_ = 0;
};

class alignas(kApart) SideNdk {
public:
    SideNdk(ndk::Memory& own, ndk::Memory& other, ndk::End& end)
        : own_(own), end_(end), address_(other.address()), token_(other.token()) {}
    void receive(ULONG bytes) {
        const NDK_SGE part = own_.part(bytes);
        need(end_.queue_pair->Dispatch->NdkReceive(end_.queue_pair, nullptr, &part, 1), "NdkReceive");
    }
    void send(ULONG bytes, ULONG flags) {
        const NDK_SGE part = own_.part(bytes);
        need(end_.queue_pair->Dispatch->NdkSend(end_.queue_pair, nullptr, &part, 1, flags), "NdkSend");
    }
    void write(ULONG bytes, ULONG flags) {
        const NDK_SGE part = own_.part(bytes);
        need(end_.queue_pair->Dispatch->NdkWrite(end_.queue_pair, nullptr, &part, 1, address_, token_, flags),
             "NdkWrite");
    }
    void read(ULONG bytes) {
        const NDK_SGE part = own_.part(bytes);
        need(end_.queue_pair->Dispatch->NdkRead(end_.queue_pair, nullptr, &part, 1, address_, token_, 0), "NdkRead");
    }
    int poll() {
        std::array<NDK_RESULT, kOutstanding> results;
        return static_cast<int>(end_.results->Dispatch->NdkGetCqResults(end_.results, results.data(), kOutstanding));
    }
    volatile char* memory() { return static_cast<volatile char*>(own_.start()); }

private:
    ndk::Memory& own_;
    ndk::End& end_;
    const UINT64 address_;
    const UINT32 token_;
};
static_assert(NDK_OP_FLAG_SILENT_SUCCESS == ND_OP_FLAG_SILENT_SUCCESS);  // the only one that is used

struct Version2 {
    static constexpr ULONG kAll = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                                  ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;
    Adapter adapter;
    Memory here{adapter, kBytes, kAll, Memory::Kind::mappable}, there{adapter, kBytes, kAll, Memory::Kind::mappable};
    ConnectedPair pair{adapter, 4, kDepth};
    Side2 active{here, there, pair.active}, passive{there, here, pair.passive};
};

struct Version1 {
    v1::Adapter adapter;
    v1::Memory here{adapter, kBytes}, there{adapter, kBytes};
    v1::ConnectedEndpoints pair{adapter, kDepth};
    v1::Window window{adapter, pair.active, here, kBytes}, window_there{adapter, pair.passive, there, kBytes};
    Side1 active{here, pair.active, window_there}, passive{there, pair.passive, window};
};

struct Kernel {
    ndk::Adapter adapter;
    ndk::Memory here{adapter, kBytes}, there{adapter, kBytes};
    ndk::ConnectedNdk pair{adapter, 4, kDepth};
    SideNdk active{here, there, pair.active}, passive{there, here, pair.passive};
};

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
