// SPDX-License-Identifier: MIT
// Events, and waiting for objects with a dispatcher header.
#include "kernel/events.h"

#include "wdm/checking/checking.h"
#include "wdm/sync/dispatcher.h"
#include "wdm/sync/time_limit.h"

using namespace opennd::wdm;

namespace {

bool is_event(const KEVENT& event, const char* call) {
    const ULONG kind = event.Header.opennd_kind;
    if (kind == kNotificationEvent || kind == kSynchronizationEvent) return true;
    report(OPENND_WDM_RULE_INITIALIZED, {"event", &event},
           std::string(call) + " finds no event: KeInitializeEvent makes one");
    return false;
}

}  // namespace

VOID KeInitializeEvent(PKEVENT Event, EVENT_TYPE Type, BOOLEAN State) {
    initialize(Event->Header, Type == NotificationEvent ? kNotificationEvent : kSynchronizationEvent, State != FALSE);
}

LONG KeSetEvent(PKEVENT Event, KPRIORITY, BOOLEAN Wait) {
    if (!is_event(*Event, "KeSetEvent")) return 0;
    if (Wait != FALSE) (void)expect_irql_at_most(APC_LEVEL, "KeSetEvent with Wait", {"event", Event});
    return signal(Event->Header);
}

LONG KeResetEvent(PKEVENT Event) { return is_event(*Event, "KeResetEvent") && reset(Event->Header); }

VOID KeClearEvent(PKEVENT Event) {
    if (is_event(*Event, "KeClearEvent")) (void)reset(Event->Header);
}

LONG KeReadStateEvent(PKEVENT Event) { return is_event(*Event, "KeReadStateEvent") && is_signalled(Event->Header); }

NTSTATUS KeWaitForSingleObject(PVOID Object, KWAIT_REASON, KPROCESSOR_MODE, BOOLEAN, PLARGE_INTEGER Timeout) {
    auto* const header = static_cast<DISPATCHER_HEADER*>(Object);
    if (header->opennd_kind != kThread && !is_event(*static_cast<KEVENT*>(Object), "KeWaitForSingleObject"))
        return STATUS_INVALID_PARAMETER;
    if (Timeout == nullptr || Timeout->QuadPart != 0)
        (void)expect_irql_at_most(APC_LEVEL, "KeWaitForSingleObject", {"event", Object});
    return wait(*header, time_limit(Timeout)) ? STATUS_SUCCESS : STATUS_TIMEOUT;
}
