// SPDX-License-Identifier: MIT
// The functions of opennd.h on handles of any kind, on events, on the end of a request, and on memory that peers on this host can map.
#include "opennd.h"

#include <utility>
#include <vector>

#include "library/api/handle_use.h"
#include "library/library.h"
#include "spi/overlapped.h"

using namespace opennd;

HRESULT opennd_handle_close(HANDLE handle) {
    return at_face([&] {
        return ok(handle_table().close(handle))
                   ? ND_SUCCESS
                   : refuse_handle({"handle", "opennd_handle_close"}, handle, "event, port or file", "ND2-FILE-08");
    });
}

HRESULT opennd_handle_duplicate(HANDLE handle, HANDLE* duplicate) {
    constexpr Site site{"handle", "opennd_handle_duplicate"};
    if (duplicate == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "duplicate");
    return at_face([&]() -> HRESULT {
        const Result<void*> second = handle_table().duplicate(handle);
        if (second.status() == Status::invalid_parameter)
            return refuse_handle(site, handle, "event, port or file", "ND2-FILE-08");
        if (!second.ok()) return to_hresult(second.status());
        *duplicate = second.value();
        return ND_SUCCESS;
    });
}

HRESULT opennd_handle_query(HANDLE handle, opennd_handle_kind* kind) {
    constexpr Site site{"handle", "opennd_handle_query"};
    if (kind == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "kind");
    return at_face([&]() -> HRESULT {
        const Ref<HandleObject> object = handle_table().find_object(handle);
        if (!object) return refuse_handle(site, handle, "event, port or file", "ND2-FILE-08");
        switch (object->kind()) {
            case HandleKind::event: *kind = OPENND_HANDLE_EVENT; break;
            case HandleKind::completion_port: *kind = OPENND_HANDLE_PORT; break;
            case HandleKind::overlapped_file: *kind = OPENND_HANDLE_OVERLAPPED_FILE; break;
        }
        return ND_SUCCESS;
    });
}

HRESULT opennd_overlapped_result(OVERLAPPED* overlapped, BOOL wait) { return overlapped_result(overlapped, wait); }

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

HRESULT opennd_memory_allocate(SIZE_T bytes, VOID** memory) {
    if (memory == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"memory", "opennd_memory_allocate"}, "memory");
    *memory = nullptr;
    return at_face([&]() -> HRESULT {
        Result<void*> allocated = Library::instance().memory().allocate(bytes);
        if (!allocated.ok()) return to_hresult(allocated.status());
        *memory = allocated.take();
        return ND_SUCCESS;
    });
}

HRESULT opennd_memory_free(VOID* memory) {
    return at_face([&]() -> HRESULT {
        const Status status = Library::instance().memory().free(memory);
        if (ok(status)) return ND_SUCCESS;
        return explain(to_hresult(status), {.object = "mappable memory",
                                            .operation = "opennd_memory_free",
                                            .asked = phrase("memory at {}", memory),
                                            .limit = "a result of opennd_memory_allocate, once",
                                            .remedy = "free the pointer that was given, and only once",
                                            .requirement = "ND2-GEN-02"});
    });
}
