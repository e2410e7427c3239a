// SPDX-License-Identifier: MIT
// A memory region: one registration at a time. Both operations are done when their call returns, and still complete as
// requests (ND2-OVL-01).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/state_machine.h"
#include "base/status.h"
#include "core/adapter/live_objects.h"
#include "core/memory/binding_list.h"
#include "core/request/async_request.h"
#include "core/request/pending_requests.h"
#include "model/access.h"
#include "model/page_list.h"
#include "model/token.h"
#include "transport/memory.h"
#include "transport/queue_pair.h"

namespace opennd {

class Adapter;

// The states of a memory region as a table. Pure: effects run in the caller, after the transition.
enum class RegistrationState : std::uint8_t {
    empty,          // no registration
    registering,    // the transport makes the tokens
    registered,     // the tokens are valid
    deregistering,  // the tokens are dead; an access through them may still go on
};
inline constexpr std::size_t kRegistrationStates = 4;

enum class RegistrationEvent : std::uint8_t {
    begin,      // the program registers memory (ND2-MR-REG-06: one registration at a time)
    establish,  // the transport has made the tokens
    fail,       // it could not
    end,        // the program deregisters the memory, or releases the region
    rest,       // nothing touches the memory any more
};
inline constexpr std::size_t kRegistrationEvents = 5;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<RegistrationState> transition(RegistrationState state, RegistrationEvent event) {
    using enum RegistrationState;
    constexpr auto rows = std::to_array<Transition<RegistrationState, RegistrationEvent>>({
        {empty, RegistrationEvent::begin, registering},
        {registering, RegistrationEvent::establish, registered},
        {registering, RegistrationEvent::fail, empty},
        {registered, RegistrationEvent::end, deregistering},
        {deregistering, RegistrationEvent::rest, empty},
    });
    return find_next(rows, state, event);
}

class MemoryRegion final : public RefCounted {
public:
    explicit MemoryRegion(Ref<Adapter> adapter);
    ~MemoryRegion() override;

    const Adapter& adapter() const { return *adapter_; }

    // Registers memory of the program, which stays the program's and is used until deregistration. success: the request
    // is under way. In this order (ND2-MR-REG-01):
    //   invalid_parameter  no address
    //   invalid_length     0 bytes
    //   invalid_parameter  more than the adapter's maximum, or the range wraps
    //   invalid_state      registered, or being registered
    //   access_violation   not mapped, or not writable and `access` writes
    //   insufficient_resources, no_memory
    Status register_memory(std::byte* address, std::size_t bytes, Access access, std::unique_ptr<AsyncRequest> request)
        EXCLUDES(mutex_);

    // The same for memory that is named by an index into pages; bind_window then takes numbers of that index as
    // addresses. In this order:
    //   invalid_parameter  a failure of check_pages(), or more bytes than the adapter's maximum
    //   invalid_state, insufficient_resources, no_memory
    Status register_pages(const PageList& pages, Access access, std::unique_ptr<AsyncRequest> request) EXCLUDES(mutex_);

    // Tokens are dead at once; nothing touches the memory when the request completes (ND2-MR-DEREG-02).
    // invalid_state: nothing is registered, or a registration is in progress. region_busy: a window is bound to it.
    Status deregister(std::unique_ptr<AsyncRequest> request) EXCLUDES(mutex_);

    // Token::none unless registered (ND2-MR-TOK-01). Any thread.
    Token local_token() const { return local_token_.load(std::memory_order_acquire); }
    Token remote_token() const { return remote_token_.load(std::memory_order_acquire); }

    // For people who look into the process: its number among the regions of the process; its memory. Nothing: not registered.
    std::uint32_t number() const { return place_.number(); }
    struct Memory {
        const std::byte* address;  // null: pages, which an index names
        std::size_t bytes;
        Access access;
    };
    std::optional<Memory> memory() const EXCLUDES(mutex_);

    // For QueuePair::bind: makes a binding of a part of the region; it ends with the registration at the latest.
    //   invalid_parameter       nothing is registered, no bytes, or the range leaves the region
    //   access_violation        `access` writes, and the region has no local write (ND2-QP-BIND-02)
    //   insufficient_resources
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair& queue_pair, std::byte* address,
                                                    std::size_t bytes, Access access, const BindingTerms& terms)
        EXCLUDES(mutex_);

    // Neither operation can be cancelled: waits until those in progress have completed (ND2-OVL-14).
    void cancel() { in_flight_.wait_until_idle(); }

    // Releases it for the program: deregisters it if necessary; nothing touches the memory on return (ND2-MR-REL-01).
    // Once.
    void close() EXCLUDES(mutex_);

private:
    Status check_range(const std::byte* address, std::size_t bytes) const;
    Status begin_registration() EXCLUDES(mutex_);
    Status end_registration(Result<Ref<TransportMemory>> memory, const std::byte* address, std::size_t bytes,
                            Access access, std::unique_ptr<AsyncRequest> request, CompletionBatch& batch)
        EXCLUDES(mutex_);
    Status check_window(const std::byte* address, std::size_t bytes, Access access) const REQUIRES(mutex_);
    // One registration, and the bindings of windows to it.
    struct Registration {
        Ref<TransportMemory> memory;
        BindingList windows;
        void end();
    };
    Registration begin_deregistration() REQUIRES(mutex_);

    const Ref<Adapter> adapter_;

    mutable Mutex mutex_;
    StateMachine<RegistrationState, RegistrationEvent> state_ GUARDED_BY(mutex_){"memory region",
                                                                                 RegistrationState::empty};
    Registration registration_ GUARDED_BY(mutex_);  // while registered
    const std::byte* address_ GUARDED_BY(mutex_) = nullptr;
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;
    Access access_ GUARDED_BY(mutex_) = Access::none;
    // Written under mutex_; release: a thread that reads a token sees a registration that is ready.
    std::atomic<Token> local_token_{Token::none};
    std::atomic<Token> remote_token_{Token::none};
    InFlight in_flight_;

    LiveObjects<MemoryRegion>::Place place_;
};

// May this list of pages be registered? invalid_parameter, explained: no pages, or one that does not begin at a multiple of kPageBytes; first_byte beyond the first
// page; no bytes, or more than the pages hold; a range that wraps.
Status check_pages(const PageList& pages, std::string_view operation);

}  // namespace opennd
