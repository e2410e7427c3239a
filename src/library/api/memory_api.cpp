// SPDX-License-Identifier: MIT
// The functions of opennd.h on memory that peers on this host can map.
#include "opennd.h"

#include "library/library.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/status_meaning.h"

using namespace opennd;

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
