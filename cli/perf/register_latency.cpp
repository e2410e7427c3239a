// SPDX-License-Identifier: MIT
//
// What a registration costs: one region, registered and deregistered again and again. Read tests.h first.
#include "nd_error.h"
#include "network/com_ptr.h"
#include "perf/tests.h"
#include "perf/timed_turns.h"

namespace nd {
namespace {

class Registering {
public:
    explicit Registering(Endpoint& endpoint) : memory_(endpoint.lane().source.Buffer), bytes_(endpoint.plan().size) {
        Adapter& adapter = endpoint.adapter();
        check(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.overlapped_file(), region_.put()),
              "make a memory region", "IND2Adapter::CreateMemoryRegion");
    }

    void turn() {
        finish(
            region_->Register(
                memory_, bytes_,
                ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE, &request_),
            "IND2MemoryRegion::Register");
        finish(region_->Deregister(&request_), "IND2MemoryRegion::Deregister");
    }

    void stop() {}
    std::uint64_t verified() const { return 0; }

private:
    // No event: most providers, this one too, are done when the call returns.
    void finish(HRESULT status, const char* call) {
        if (status == ND_PENDING) status = region_->GetOverlappedResult(&request_, 1);
        check(status, "register memory", call);
    }

    void* const memory_;
    const std::size_t bytes_;
    OVERLAPPED request_ = {};
    ComPtr<IND2MemoryRegion> region_;
};

}  // namespace

Measurement measure_register_latency(Endpoint& endpoint, ProgressBar* bar) {
    Registering game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

}  // namespace nd
