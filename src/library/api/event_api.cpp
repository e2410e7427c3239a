// SPDX-License-Identifier: MIT
// The functions of opennd.h on events.
#include "opennd.h"

#include <utility>
#include <vector>

#include "library/api/handle_use.h"

using namespace opennd;

HRESULT opennd_event_create(BOOL manual_reset, BOOL signalled, HANDLE* event) {
    if (event == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"event", "opennd_event_create"}, "event");
    return at_face([&] {
        const EventReset reset = manual_reset ? EventReset::manual : EventReset::automatic;
        return give_handle(Result(make_ref<Event>(reset, signalled != FALSE)), event);
    });
}

HRESULT opennd_event_set(HANDLE event) {
    return with_object<Event>(event, "opennd_event_set", [](Event& e) { return e.set(), ND_SUCCESS; });
}

HRESULT opennd_event_reset(HANDLE event) {
    return with_object<Event>(event, "opennd_event_reset", [](Event& e) { return e.reset(), ND_SUCCESS; });
}

HRESULT opennd_event_wait(HANDLE event, DWORD timeout_ms) {
    return with_object<Event>(event, "opennd_event_wait",
                              [&](Event& e) { return wait_result(e.wait(deadline_after(timeout_ms))); });
}

HRESULT opennd_event_descriptor(HANDLE event, int* descriptor) {
    if (descriptor == nullptr)
        return refuse_null(ND_INVALID_PARAMETER, {"event", "opennd_event_descriptor"}, "descriptor");
    return with_object<Event>(event, "opennd_event_descriptor", [&](Event& e) {
        const Result<int> made = e.descriptor();
        if (made.ok()) *descriptor = made.value();
        return to_hresult(made.status());
    });
}

HRESULT opennd_event_take_all(const HANDLE events[], ULONG count) {
    constexpr Site site{"event", "opennd_event_take_all"};
    if (events == nullptr || count == 0) return refuse_null(ND_INVALID_PARAMETER, site, "events, or its count,");
    return at_face([&]() -> HRESULT {
        std::vector<Ref<Event>> all(count);
        for (ULONG i = 0; i < count; ++i) {
            all[i] = handle_table().find<Event>(events[i]);
            if (!all[i]) return refuse_handle(site, events[i], kHandleKind<Event>, "ND2-OVL-05");
        }
        return wait_result(Event::take_all(std::move(all)));
    });
}
