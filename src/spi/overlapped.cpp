// SPDX-License-Identifier: MIT
// See overlapped.h. Internal is read by programs, by other threads and by GetOverlappedResult while it is written here:
// every access of ours is atomic.
#include "spi/overlapped.h"

#include <atomic>
#include <optional>
#include <utility>

#include "base/checker.h"
#include "platform/waiting/handle_table.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

constexpr std::uintptr_t kTagBits = 3;   // not part of the handle (ND2-OVL-05)
constexpr std::uintptr_t kNoPacket = 1;  // of hEvent

// As 32 bits: programs compare Internal with 0x103.
constexpr ULONG_PTR encode(HRESULT status) { return static_cast<std::uint32_t>(status); }
constexpr HRESULT decode(ULONG_PTR status) { return static_cast<HRESULT>(static_cast<std::uint32_t>(status)); }

std::atomic_ref<ULONG_PTR> status_of(OVERLAPPED* overlapped) {
    return std::atomic_ref<ULONG_PTR>(overlapped->Internal);
}

Ref<Event> find_event(HANDLE handle, bool& valid) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle) & ~kTagBits;
    if (number == 0) return nullptr;
    Ref<Event> event = handle_table().find<Event>(reinterpret_cast<HANDLE>(number));
    valid = bool(event);
    return event;
}

// A request that the checking layer follows.
class FollowedRequest final : public AsyncRequest {
public:
    FollowedRequest(Checker& checks, const void* overlapped, const void* object, std::unique_ptr<AsyncRequest> request)
        : checks_(checks), overlapped_(overlapped), object_(object), request_(std::move(request)) {}

    void begin() override {
        checks_.began(overlapped_, object_);
        request_->begin();
    }
    void complete(Status status) override {
        checks_.ends(overlapped_);  // before the status is there: the program may use the OVERLAPPED again at once
        Submission::note_completed(*this, status);
        request_->complete(status);
    }

private:
    Checker& checks_;
    const void* const overlapped_;
    const void* const object_;
    const std::unique_ptr<AsyncRequest> request_;
};

HRESULT wait_for_result(OVERLAPPED* overlapped) {
    const std::atomic_ref<ULONG_PTR> internal = status_of(overlapped);
    ULONG_PTR status = internal.load(std::memory_order_acquire);
    if (decode(status) != ND_PENDING) return decode(status);
    // Waiting on the event consumes the signal of an auto-reset one, as it does on Windows (ND2-OVL-18).
    bool valid = true;
    if (const Ref<Event> event = find_event(overlapped->hEvent, valid))
        if (!ok(event->wait(std::nullopt))) return ND_INTERNAL_ERROR;
    // The event may serve other requests too; the status alone tells about this one.
    for (status = internal.load(std::memory_order_acquire); decode(status) == ND_PENDING;
         status = internal.load(std::memory_order_acquire))
        internal.wait(status, std::memory_order_acquire);
    return decode(status);
}

}  // namespace

constinit thread_local Submission* Submission::current_ = nullptr;

HRESULT Overlapped::create(OVERLAPPED* overlapped, Ref<OverlappedFile> file, const OverlappedRules& rules,
                           std::unique_ptr<AsyncRequest>& request, const void* object) {
    constexpr Site site{"OVERLAPPED", "overlapped request"};
    if (overlapped == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pOverlapped");
    bool valid = true;
    Ref<Event> event = find_event(overlapped->hEvent, valid);
    if (!valid) return refuse_handle(site, overlapped->hEvent, "event (NULL: none)", "ND2-OVL-05");
    if ((reinterpret_cast<std::uintptr_t>(overlapped->hEvent) & kNoPacket) != 0) file = nullptr;
    request.reset(new Overlapped(overlapped, std::move(event), std::move(file), rules));
    if (Checker* const checks = checker()) [[unlikely]]
        request = std::make_unique<FollowedRequest>(*checks, overlapped, object, std::move(request));
    return ND_SUCCESS;
}

Overlapped::Overlapped(OVERLAPPED* overlapped, Ref<Event> event, Ref<OverlappedFile> file, const OverlappedRules& rules)
    : overlapped_(overlapped), rules_(rules), event_(std::move(event)), file_(std::move(file)) {}

void Overlapped::begin() {
    overlapped_->InternalHigh = 0;
    // Relaxed: other threads learn of the request through a lock or from the program.
    status_of(overlapped_).store(encode(ND_PENDING), std::memory_order_relaxed);
    if (event_) event_->reset();
}

void Overlapped::complete(Status status) {
    Submission::note_completed(*this, status);
    const ULONG_PTR final_status = encode(rules_.number(status));
    const std::atomic_ref<ULONG_PTR> internal = status_of(overlapped_);
    // Release: a thread that reads the status sees every effect of the request. From here on the memory may be gone;
    // notify_all needs its address only (ND2-OVL-07).
    internal.store(final_status, std::memory_order_release);
    internal.notify_all();
    if (rules_.event_first && event_) event_->set();
    if (file_) file_->deliver(overlapped_, final_status, 0);
    if (!rules_.event_first && event_) event_->set();
}

HRESULT overlapped_result(OVERLAPPED* overlapped, bool wait, const void* object) noexcept {
    constexpr Site site{"OVERLAPPED", "GetOverlappedResult"};
    if (overlapped == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pOverlapped");
    if (Checker* const checks = checker(); checks && object) [[unlikely]]
        checks->asked(overlapped, object);
    const HRESULT status =
        wait ? wait_for_result(overlapped) : decode(status_of(overlapped).load(std::memory_order_acquire));
    if (FAILED(status)) [[unlikely]]
        remember_result(status, "overlapped request", site.operation);
    return status;
}

}  // namespace opennd
