// SPDX-License-Identifier: MIT
//
// One case a run, COUNT times, for scripts/instructions to count what each call costs: both ends of a connection in this
// one thread, over whatever OPENND_TRANSPORT says, at OPENND_TEST_ADDRESS or at 127.0.0.1. The cases of version 1, and of NDK,
// do what those of version 2 do.
#include "../examples/connected_pair.h"
#include "connected_endpoints.h"
#include "connected_ndk.h"

#include <arpa/inet.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

using namespace example;

constexpr ULONG kShort = 8;
constexpr std::size_t kMemoryBytes = 64;

sockaddr_in address_under_test() {
    sockaddr_in address = loopback();
    if (const char* const asked = std::getenv("OPENND_TEST_ADDRESS");
        asked && inet_aton(asked, &address.sin_addr) == 0) {
        std::fprintf(stderr, "OPENND_TEST_ADDRESS is no address: %s\n", asked);
        std::exit(2);
    }
    return address;
}

class Version2 {
public:
    static constexpr HRESULT kFull = ND_NO_MORE_ENTRIES;
    ULONG poll_active() { return poll(pair_.active); }
    ULONG poll_passive() { return poll(pair_.passive); }
    void receive() { need(pair_.passive.queue_pair->Receive(nullptr, &remote_, 1), "Receive"); }
    HRESULT send() { return pair_.active.queue_pair->Send(nullptr, &local_, 1, kQuiet); }
    HRESULT write() { return pair_.active.queue_pair->Write(nullptr, &local_, 1, target_.address(), token_, kQuiet); }
    HRESULT read() {
        return pair_.active.queue_pair->Read(nullptr, &local_, 1, target_.address(), token_, ND_OP_FLAG_SILENT_SUCCESS);
    }

private:
    static constexpr ULONG kQuiet = ND_OP_FLAG_INLINE | ND_OP_FLAG_SILENT_SUCCESS;
    static constexpr ULONG kAll = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                                  ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;

    static ULONG poll(End& end) {
        ND2_RESULT results[8];
        return end.results->GetResults(results, 8);
    }

    Adapter adapter_{address_under_test()};
    Memory memory_{adapter_, kMemoryBytes, kAll, Memory::Kind::mappable};
    Memory target_{adapter_, kMemoryBytes, kAll, Memory::Kind::mappable};
    const ND2_SGE local_ = memory_.part(kShort), remote_ = target_.part(kShort);
    const UINT32 token_ = target_.token();
    ConnectedPair pair_{adapter_};
};

class Version1 {
public:
    static constexpr HRESULT kFull = ND_NO_MORE_ENTRIES;
    ULONG poll_active() { return poll(pair_.active); }
    ULONG poll_passive() { return poll(pair_.passive); }
    void receive() { need(pair_.passive.endpoint->Receive(&received_, &remote_, 1), "Receive"); }
    HRESULT send() { return pair_.active.endpoint->Send(&sent_, &inline_, 1, ND_OP_FLAG_SILENT_SUCCESS); }
    HRESULT write() {
        return pair_.active.endpoint->Write(&sent_, &inline_, 1, window_.descriptor(), 0, ND_OP_FLAG_SILENT_SUCCESS);
    }
    HRESULT read() {
        return pair_.active.endpoint->Read(&sent_, &local_, 1, window_.descriptor(), 0, ND_OP_FLAG_SILENT_SUCCESS);
    }

private:
    static ULONG poll(v1::End& end) {
        ND_RESULT* results[8];
        return static_cast<ULONG>(end.results->GetResults(results, 8));
    }

    v1::Adapter adapter_{address_under_test()};
    v1::Memory memory_{adapter_, kMemoryBytes}, target_{adapter_, kMemoryBytes};
    const ND_SGE local_ = memory_.part(kShort), remote_ = target_.part(kShort);
    const ND_SGE inline_{memory_.start(), kShort, nullptr};
    ND_RESULT received_{}, sent_{};
    v1::ConnectedEndpoints pair_{adapter_};
    v1::Window window_{adapter_, pair_.passive, target_, kMemoryBytes};
};

class Kernel {
public:
    static constexpr NTSTATUS kFull = STATUS_INSUFFICIENT_RESOURCES;
    ULONG poll_active() { return poll(pair_.active); }
    ULONG poll_passive() { return poll(pair_.passive); }
    void receive() {
        NDK_QP* const to = pair_.passive.queue_pair;
        need(to->Dispatch->NdkReceive(to, nullptr, &remote_, 1), "NdkReceive");
    }
    NTSTATUS send() {
        NDK_QP* const from = pair_.active.queue_pair;
        return from->Dispatch->NdkSend(from, nullptr, &local_, 1, kQuiet);
    }
    NTSTATUS write() {
        NDK_QP* const from = pair_.active.queue_pair;
        return from->Dispatch->NdkWrite(from, nullptr, &local_, 1, target_.address(), token_, kQuiet);
    }
    NTSTATUS read() {
        NDK_QP* const from = pair_.active.queue_pair;
        return from->Dispatch->NdkRead(from, nullptr, &local_, 1, target_.address(), token_,
                                       NDK_OP_FLAG_SILENT_SUCCESS);
    }

private:
    static constexpr ULONG kQuiet = NDK_OP_FLAG_INLINE | NDK_OP_FLAG_SILENT_SUCCESS;

    // With the kind of each, as version 2 gives it.
    static ULONG poll(ndk::End& end) {
        NDK_RESULT_EX results[8];
        return end.results->Dispatch->NdkGetCqResultsEx(end.results, results, 8);
    }

    ndk::Adapter adapter_{address_under_test()};
    ndk::Memory memory_{adapter_, kMemoryBytes}, target_{adapter_, kMemoryBytes};
    const NDK_SGE local_ = memory_.part(kShort), remote_ = target_.part(kShort);
    const UINT32 token_ = target_.token();
    ndk::ConnectedNdk pair_{adapter_};
};

template <typename Version>
class Calls {
public:
    // The first of these asks for the peer's memory, which is mapped a moment later.
    Calls() {
        write();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    void idle_poll() { (void)version_.poll_passive(); }
    void receive_send_poll() {
        version_.receive();
        send();
        take(1);
        (void)version_.poll_active();
    }
    void batch_of_eight() {
        for (int i = 0; i < 8; i++) version_.receive();
        for (int i = 0; i < 8; i++) send();
        take(8);
        (void)version_.poll_active();
    }
    void send() { begin(&Version::send, "Send"); }
    void write() { begin(&Version::write, "Write"); }
    void read() { begin(&Version::read, "Read"); }

private:
    void take(ULONG messages) {
        while (taken_ < messages) taken_ += version_.poll_passive();
        taken_ -= messages;
    }
    // Over TCP a request keeps its place in the queue until the peer has acknowledged it, which a poll there sends.
    template <typename Request>
    void begin(Request request, const char* name) {
        auto status = (version_.*request)();
        while (status == Version::kFull) {
            taken_ += version_.poll_passive();
            (void)version_.poll_active();
            status = (version_.*request)();
        }
        need(status, name);
    }

    Version version_;
    ULONG taken_ = 0;  // messages that were taken before their turn
};

template <typename Version>
struct Case {
    const char* name;
    void (Calls<Version>::*run)();
};
template <typename Version>
constexpr Case<Version> kCases[] = {{"idle_poll", &Calls<Version>::idle_poll},
                                    {"receive_send_poll", &Calls<Version>::receive_send_poll},
                                    {"batch_of_eight", &Calls<Version>::batch_of_eight},
                                    {"write", &Calls<Version>::write},
                                    {"read", &Calls<Version>::read}};

// False: this version has no such case.
template <typename Version>
bool run(const char* name, long count) {
    for (const Case<Version>& each : kCases<Version>) {
        if (std::strcmp(name, each.name) != 0) continue;
        Calls<Version> calls;
        for (long i = 0; i < count; i++) (calls.*each.run)();
        return true;
    }
    return false;
}

}  // namespace

// Without arguments: the names of the cases. Otherwise VERSION CASE COUNT.
int main(int argc, char** argv) {
    constexpr long kWarmUp = 1000;
    if (argc == 1)
        for (const auto& each : kCases<Version2>) std::printf("%s\n", each.name);
    if (argc != 4) return argc == 1 ? 0 : 2;
    const long count = kWarmUp + std::atol(argv[3]);
    const auto chosen = std::strcmp(argv[1], "nd1") == 0   ? run<Version1>
                        : std::strcmp(argv[1], "ndk") == 0 ? run<Kernel>
                                                           : run<Version2>;
    return chosen(argv[2], count) ? 0 : 2;
}
