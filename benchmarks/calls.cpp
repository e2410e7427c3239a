// SPDX-License-Identifier: MIT
//
// One case a run, COUNT times, for scripts/instructions to count what each call costs: both ends of a connection in this
// one thread, over whatever OPENND_TRANSPORT says, at OPENND_TEST_ADDRESS or at 127.0.0.1. The cases of version 1, and of NDK,
// do what those of version 2 do; `immediate` is version 2 with immediate data in its Sends and Writes.
#include "connected_sides.h"

#include <opennd_immediate.h>

#include <chrono>
#include <cstring>
#include <thread>

namespace {

using namespace nd;

constexpr ULONG kShort = 8, kDepth = 8;
constexpr std::size_t kMemoryBytes = 64;

benchmark::ConnectedSides connected_sides(Api api) {
    const char* const asked = std::getenv("OPENND_TEST_ADDRESS");
    return {api, kMemoryBytes, MemoryKind::mappable, kDepth, asked ? asked : "127.0.0.1"};
}

class Version2 {
public:
    static constexpr HRESULT kFull = ND_NO_MORE_ENTRIES;
    ULONG poll_active() { return poll(sent_results_); }
    ULONG poll_passive() { return poll(received_results_); }
    HRESULT receive() { return to_->Receive(nullptr, &remote_, 1); }
    HRESULT send() { return from_->Send(nullptr, &local_, 1, kQuiet); }
    HRESULT write() { return from_->Write(nullptr, &local_, 1, peer_.address, peer_.token, kQuiet); }
    HRESULT read() { return from_->Read(nullptr, &local_, 1, peer_.address, peer_.token, ND_OP_FLAG_SILENT_SUCCESS); }

private:
    static constexpr ULONG kQuiet = ND_OP_FLAG_INLINE | ND_OP_FLAG_SILENT_SUCCESS;

    static ULONG poll(IND2CompletionQueue* queue) {
        ND2_RESULT results[8];
        return queue->GetResults(results, 8);
    }

    benchmark::ConnectedSides sides_ = connected_sides(Api::nd2);
    IND2CompletionQueue* const sent_results_ = sides_.active.results.nd2();
    IND2CompletionQueue* const received_results_ = sides_.passive.results.nd2();
    IND2QueuePair *const from_ = sides_.active.queue_pair.nd2(), *const to_ = sides_.passive.queue_pair.nd2();
    const ND2_SGE local_ = sides_.active.memory.part(0, kShort).nd2,
                  remote_ = sides_.passive.memory.part(0, kShort).nd2;
    const RemoteTarget peer_ = sides_.active.peer;
};

class Immediate {
public:
    static constexpr HRESULT kFull = ND_NO_MORE_ENTRIES;
    Immediate() {
        benchmark::need(sides_.active.queue_pair.nd2()->QueryInterface(IID_IND2ImmediateQueuePair,
                                                                       reinterpret_cast<void**>(&from_)),
                        "QueryInterface");
        benchmark::need(sides_.passive.results.nd2()->QueryInterface(IID_IND2ImmediateCompletionQueue,
                                                                     reinterpret_cast<void**>(&received_results_)),
                        "QueryInterface");
    }
    ~Immediate() {
        from_->Release();
        received_results_->Release();
    }
    ULONG poll_active() {
        ND2_RESULT results[8];
        return sent_results_->GetResults(results, 8);
    }
    ULONG poll_passive() {
        ND2_IMMEDIATE_RESULT results[8];
        return received_results_->GetImmediateResults(results, 8);
    }
    HRESULT receive() { return to_->Receive(nullptr, &remote_, 1); }
    HRESULT send() { return from_->SendWithImmediate(nullptr, &local_, 1, kQuiet, 1); }
    HRESULT write() { return from_->Write(nullptr, &local_, 1, peer_.address, peer_.token, kQuiet); }
    HRESULT read() { return from_->Read(nullptr, &local_, 1, peer_.address, peer_.token, ND_OP_FLAG_SILENT_SUCCESS); }

private:
    static constexpr ULONG kQuiet = ND_OP_FLAG_INLINE | ND_OP_FLAG_SILENT_SUCCESS;

    benchmark::ConnectedSides sides_ = connected_sides(Api::nd2);
    IND2CompletionQueue* const sent_results_ = sides_.active.results.nd2();
    IND2QueuePair* const to_ = sides_.passive.queue_pair.nd2();
    const ND2_SGE local_ = sides_.active.memory.part(0, kShort).nd2,
                  remote_ = sides_.passive.memory.part(0, kShort).nd2;
    const RemoteTarget peer_ = sides_.active.peer;
    IND2ImmediateQueuePair* from_ = nullptr;
    IND2ImmediateCompletionQueue* received_results_ = nullptr;
};

class Version1 {
public:
    static constexpr HRESULT kFull = ND_NO_MORE_ENTRIES;
    ULONG poll_active() { return poll(sent_results_); }
    ULONG poll_passive() { return poll(received_results_); }
    HRESULT receive() { return to_->Receive(&received_, &remote_, 1); }
    HRESULT send() { return from_->Send(&sent_, &inline_, 1, ND_OP_FLAG_SILENT_SUCCESS); }
    HRESULT write() { return from_->Write(&sent_, &inline_, 1, &peer_.descriptor, 0, ND_OP_FLAG_SILENT_SUCCESS); }
    HRESULT read() { return from_->Read(&sent_, &local_, 1, &peer_.descriptor, 0, ND_OP_FLAG_SILENT_SUCCESS); }

private:
    static ULONG poll(INDCompletionQueue* queue) {
        ND_RESULT* results[8];
        return static_cast<ULONG>(queue->GetResults(results, 8));
    }

    benchmark::ConnectedSides sides_ = connected_sides(Api::nd1);
    INDCompletionQueue* const sent_results_ = sides_.active.results.nd1();
    INDCompletionQueue* const received_results_ = sides_.passive.results.nd1();
    INDEndpoint *const from_ = sides_.active.queue_pair.nd1(), *const to_ = sides_.passive.queue_pair.nd1();
    const ND_SGE local_ = sides_.active.memory.part(0, kShort).nd1, remote_ = sides_.passive.memory.part(0, kShort).nd1;
    const ND_SGE inline_{local_.pAddr, kShort, nullptr};
    const RemoteTarget peer_ = sides_.active.peer;
    ND_RESULT received_{}, sent_{};
};

class Kernel {
public:
    static constexpr NTSTATUS kFull = STATUS_INSUFFICIENT_RESOURCES;
    ULONG poll_active() { return poll(sent_results_); }
    ULONG poll_passive() { return poll(received_results_); }
    NTSTATUS receive() { return to_->Dispatch->NdkReceive(to_, nullptr, &remote_, 1); }
    NTSTATUS send() { return from_->Dispatch->NdkSend(from_, nullptr, &local_, 1, kQuiet); }
    NTSTATUS write() {
        return from_->Dispatch->NdkWrite(from_, nullptr, &local_, 1, peer_.address, peer_.ndk_token, kQuiet);
    }
    NTSTATUS read() {
        return from_->Dispatch->NdkRead(from_, nullptr, &local_, 1, peer_.address, peer_.ndk_token,
                                        NDK_OP_FLAG_SILENT_SUCCESS);
    }

private:
    static constexpr ULONG kQuiet = NDK_OP_FLAG_INLINE | NDK_OP_FLAG_SILENT_SUCCESS;

    // With the kind of each, as version 2 gives it.
    static ULONG poll(NDK_CQ* queue) {
        NDK_RESULT_EX results[8];
        return queue->Dispatch->NdkGetCqResultsEx(queue, results, 8);
    }

    benchmark::ConnectedSides sides_ = connected_sides(Api::ndk);
    NDK_CQ* const sent_results_ = sides_.active.results.ndk()->get();
    NDK_CQ* const received_results_ = sides_.passive.results.ndk()->get();
    NDK_QP *const from_ = sides_.active.queue_pair.ndk(), *const to_ = sides_.passive.queue_pair.ndk();
    const NDK_SGE local_ = sides_.active.memory.part(0, kShort).ndk,
                  remote_ = sides_.passive.memory.part(0, kShort).ndk;
    const RemoteTarget peer_ = sides_.active.peer;
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
        receive();
        send();
        take(1);
        (void)version_.poll_active();
    }
    void batch_of_eight() {
        for (int i = 0; i < 8; i++) receive();
        for (int i = 0; i < 8; i++) send();
        take(8);
        (void)version_.poll_active();
    }
    void send() { begin(&Version::send, "Send"); }
    void write() { begin(&Version::write, "Write"); }
    void read() { begin(&Version::read, "Read"); }

private:
    void receive() { benchmark::need(version_.receive(), "Receive"); }
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
        benchmark::need(status, name);
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
    const auto chosen = std::strcmp(argv[1], "nd1") == 0         ? run<Version1>
                        : std::strcmp(argv[1], "ndk") == 0       ? run<Kernel>
                        : std::strcmp(argv[1], "immediate") == 0 ? run<Immediate>
                                                                 : run<Version2>;
    return chosen(argv[2], count) ? 0 : 2;
}
