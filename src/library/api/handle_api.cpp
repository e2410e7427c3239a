// SPDX-License-Identifier: MIT
// The functions of opennd.h on handles of any kind, and the end of a request.
#include "opennd.h"

#include "library/api/handle_use.h"
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
