// SPDX-License-Identifier: MIT
//
// One case a run, COUNT times, for scripts/instructions to count what each call costs: both ends of a connection in this
// one thread, over whatever OPENND_TRANSPORT says.
#include "../examples/connected_pair.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace {

using namespace example;

constexpr ULONG kShort = 8;
constexpr ULONG kQuiet = ND_OP_FLAG_INLINE | ND_OP_FLAG_SILENT_SUCCESS;
constexpr long kWarmUp = 1000;

class Calls {
public:
    // The first of these asks for the peer's memory, which is mapped a moment later.
    Calls() {
        write();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    void idle_poll() { (void)poll(pair_.passive); }
    void receive_send_poll() {
        receive();
        send();
        while (poll(pair_.passive) == 0) {
        }
        (void)poll(pair_.active);
    }
    void batch_of_eight() {
        for (int i = 0; i < 8; i++) receive();
        for (int i = 0; i < 8; i++) send();
        for (ULONG taken = 0; taken < 8;) taken += poll(pair_.passive);
        (void)poll(pair_.active);
    }
    void write() {
        need(pair_.active.queue_pair->Write(nullptr, &local_, 1, target_.address(), token_, kQuiet), "Write");
    }
    void read() {
        need(pair_.active.queue_pair->Read(nullptr, &local_, 1, target_.address(), token_, ND_OP_FLAG_SILENT_SUCCESS),
             "Read");
    }

private:
    static constexpr ULONG kAll = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                                  ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;

    static ULONG poll(End& end) {
        ND2_RESULT results[8];
        return end.results->GetResults(results, 8);
    }
    void receive() { need(pair_.passive.queue_pair->Receive(nullptr, &remote_, 1), "Receive"); }
    void send() { need(pair_.active.queue_pair->Send(nullptr, &local_, 1, kQuiet), "Send"); }

    Adapter adapter_;
    Memory memory_{adapter_, 64, kAll, Memory::Kind::mappable};
    Memory target_{adapter_, 64, kAll, Memory::Kind::mappable};
    const ND2_SGE local_ = memory_.part(kShort), remote_ = target_.part(kShort);
    const UINT32 token_ = target_.token();
    ConnectedPair pair_{adapter_};
};

struct Case {
    const char* name;
    void (Calls::*run)();
};
constexpr Case kCases[] = {{"idle_poll", &Calls::idle_poll},
                           {"receive_send_poll", &Calls::receive_send_poll},
                           {"batch_of_eight", &Calls::batch_of_eight},
                           {"write", &Calls::write},
                           {"read", &Calls::read}};

}  // namespace

int main(int argc, char** argv) {
    for (const Case& each : kCases) {
        if (argc == 1) std::printf("%s\n", each.name);
        if (argc != 3 || std::strcmp(argv[1], each.name) != 0) continue;
        Calls calls;
        const long count = kWarmUp + std::atol(argv[2]);
        for (long i = 0; i < count; i++) (calls.*each.run)();
        return 0;
    }
    return argc == 1 ? 0 : 2;
}
