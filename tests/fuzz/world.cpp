// SPDX-License-Identifier: MIT
// See world.h.
#include "fuzz/world.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/explanation.h"
#include "base/log.h"
#include "platform/descriptor/log_destination.h"
#include "platform/memory/mappable_memory.h"
#include "transport/shm/wire.h"
#include "transport/soft/transport.h"

namespace opennd::fuzz {
namespace {

// A message without a receive ends the connection soon; queue pairs live no longer than their timers.
const soft::Settings kImpatient{.no_receive_time = std::chrono::milliseconds(20)};

std::atomic<std::uint64_t> failures{0};
void count_failure(void*, const Failure&) { failures.fetch_add(1, std::memory_order_relaxed); }
void ignore_line(void*, LogLevel, const char*) {}

// Made once, never destroyed: the service thread lives as long as the process.
struct World {
    EventLoop loop;
    MappableMemory memory;
    std::unique_ptr<soft::SoftTransport> transport;
    Ref<soft::SoftAdapter> adapter;

    World() {
        set_failure_sink(&count_failure, nullptr);
        if (std::getenv("OPENND_LOG"))
            set_log_defaults_source([] { return LogDefaults{LogLevel::debug, {}, {}, &make_log_destination}; });
        else
            set_log_sink(&ignore_line, nullptr, LogLevel::error);
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport = std::make_unique<soft::SoftTransport>(loop, memory, std::move(wires), kImpatient);
        adapter = Ref<soft::SoftAdapter>(
            static_cast<soft::SoftAdapter*>(transport->open(Interface{}, Face::nd2).take().get()));
    }
};

}  // namespace

Ref<soft::SoftAdapter> shared_adapter() {
    static World* const world = new World;
    return world->adapter;
}

Address loopback_address() {
    sockaddr_in loopback{};
    loopback.sin_family = AF_INET;
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return *Address::from(reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback);
}

// Returns only when the thread stands still: one that has been asked and not come yet may run a timer first, which is of
// this very run if the machine is slow.
StillService::StillService() {
    shared_adapter()->event_loop().post([turn = turn_] {
        turn->store(Turn::held);
        turn->notify_one();
        turn->wait(Turn::held);
    });
    turn_->wait(Turn::asked);
}

StillService::~StillService() {
    turn_->store(Turn::over);
    turn_->notify_one();
}

std::uint64_t failures_reported() { return failures.load(std::memory_order_relaxed); }

}  // namespace opennd::fuzz
