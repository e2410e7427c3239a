// SPDX-License-Identifier: MIT
// NDK_LISTENER: hands each request of a peer to the consumer as a new connector (NDK-LIS-01 to -09). At each of its
// addresses it has a door: a core listener, with one core connector that waits there.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/state_machine.h"
#include "core/adapter/adapter.h"
#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "model/address.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

class NdkConnector;

// The stages of an NDK listener as a table. core/state/listener_state.h has the states of the core listeners behind it.
enum class ListenerStage : std::uint8_t {
    idle,     // new, or after a NdkListen that failed
    opening,  // NdkListen runs
    listening,
};
inline constexpr std::size_t kListenerStages = 3;

enum class ListenerStageEvent : std::uint8_t {
    listen,   // NdkListen (NDK-GEN-17: one at a time, and one success)
    succeed,  // all doors are open
    fail,     // none is
};
inline constexpr std::size_t kListenerStageEvents = 3;

// The next stage, or nothing where the event is not allowed.
constexpr std::optional<ListenerStage> transition(ListenerStage stage, ListenerStageEvent event) {
    using enum ListenerStage;
    constexpr auto rows = std::to_array<Transition<ListenerStage, ListenerStageEvent>>({
        {idle, ListenerStageEvent::listen, opening},
        {opening, ListenerStageEvent::succeed, listening},
        {opening, ListenerStageEvent::fail, idle},
    });
    return find_next(rows, stage, event);
}

class NdkListener final : public NDK_LISTENER, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeListener;

    static NTSTATUS create(NdkAdapter& adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context,
                           NDK_LISTENER** made);
    static NdkListener& of(NDK_LISTENER* listener) { return static_cast<NdkListener&>(*listener); }

    NTSTATUS listen(const SOCKADDR* address, ULONG bytes) EXCLUDES(mutex_);
    NTSTATUS get_local_address(PSOCKADDR address, ULONG* bytes) const EXCLUDES(mutex_);
    void pause(bool paused) { paused_.store(paused, std::memory_order_relaxed); }

    // For NdkConnector when its connect event is due, on the callback thread. True: the consumer's callback was called.
    bool indicate(NdkConnector& connector);
    // The consumer has answered the connector, or closed it.
    void answered() { unanswered_.fetch_sub(1, std::memory_order_relaxed); }

private:
    class Door {
    public:
        Door(NdkListener& listener, const Ref<Adapter>& adapter)
            : listener_(listener), adapter_(adapter), core_(make_ref<Listener>(adapter)) {}
        const Ref<Listener>& core() const { return core_; }
        // Waits for the next request. Failures are logged.
        void wait();

    private:
        void on_request(Status status);

        NdkListener& listener_;
        const Ref<Adapter> adapter_;
        const Ref<Listener> core_;
        Ref<Connector> next_;  // the waiting connector, or the one being told
    };
    using Doors = std::vector<std::unique_ptr<Door>>;

    NdkListener(NdkAdapter& adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context);
    void give_up() override { let_go_.store(true, std::memory_order_relaxed); }
    void end() override;
    Status open_doors(const std::vector<Address>& addresses, Doors& doors);
    bool refuses() const;
    void take_request(Ref<Connector> core);

    // The most connectors that wait for an answer of the consumer's (NDK-LIS-04).
    static constexpr std::uint32_t kBacklog = 128;

    const NDK_FN_CONNECT_EVENT_CALLBACK event_;
    const PVOID event_context_;

    // Relaxed: requests on their way may miss a change.
    std::atomic<bool> paused_{false};
    std::atomic<bool> let_go_{false};
    std::atomic<std::uint32_t> unanswered_{0};

    mutable Mutex mutex_;
    StateMachine<ListenerStage, ListenerStageEvent> stage_ GUARDED_BY(mutex_){"NDK listener", ListenerStage::idle};
    Doors doors_ GUARDED_BY(mutex_);
    Address local_ GUARDED_BY(mutex_);
};

}  // namespace opennd
