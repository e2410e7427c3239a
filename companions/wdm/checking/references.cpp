// SPDX-License-Identifier: MIT
// See references.h. A handle is a number that is used again late, so that one that was closed is recognised: once 200 million
// others were open.
#include "wdm/checking/references.h"

#include <mutex>
#include <new>
#include <unordered_map>

#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"

namespace opennd::wdm {
namespace {

constexpr const char* kHandle = "handle";
constexpr ULONG kFirst = 0x4E440000, kLast = 0x7FFFFFFC;  // 32 bits, the highest of them 0
constexpr ULONG kStep = 4;

struct Handles {
    std::mutex mutex;  // guards both below
    std::unordered_map<HANDLE, _KTHREAD*> open;
    ULONG last = kFirst;
};

Handles& handles() {
    static auto* const instance = new Handles;  // threads may close while the process ends
    return *instance;
}

_OBJECT_TYPE* const kThreadType = reinterpret_cast<_OBJECT_TYPE*>(&handles);

}  // namespace

void add_reference(_KTHREAD& thread) { thread.references.fetch_add(1, std::memory_order_relaxed); }

void drop_reference(_KTHREAD& thread) {
    if (thread.references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &thread;
}

HANDLE open_handle(_KTHREAD& thread) {
    Handles& all = handles();
    const std::lock_guard held(all.mutex);
    for (;;) {
        all.last = all.last == kLast ? kFirst : all.last + kStep;
        const auto handle = reinterpret_cast<HANDLE>(ULONG_PTR{all.last});
        if (all.open.try_emplace(handle, &thread).second) return handle;
    }
}

}  // namespace opennd::wdm

using namespace opennd::wdm;

POBJECT_TYPE* opennd_wdm_thread_type(VOID) {
    static POBJECT_TYPE type = kThreadType;
    return &type;
}

NTSTATUS ObReferenceObjectByHandle(HANDLE Handle, ACCESS_MASK, POBJECT_TYPE ObjectType, KPROCESSOR_MODE, PVOID* Object,
                                   POBJECT_HANDLE_INFORMATION HandleInformation) {
    if (ObjectType != nullptr && ObjectType != kThreadType) return STATUS_OBJECT_TYPE_MISMATCH;
    Handles& all = handles();
    const std::lock_guard held(all.mutex);
    const auto found = all.open.find(Handle);
    if (found == all.open.end()) return STATUS_INVALID_HANDLE;
    add_reference(*found->second);
    *Object = found->second;
    if (HandleInformation != nullptr) *HandleInformation = {.HandleAttributes = 0, .GrantedAccess = THREAD_ALL_ACCESS};
    return STATUS_SUCCESS;
}

VOID ObReferenceObject(PVOID Object) { add_reference(*static_cast<_KTHREAD*>(Object)); }

VOID ObDereferenceObject(PVOID Object) { drop_reference(*static_cast<_KTHREAD*>(Object)); }

NTSTATUS ZwClose(HANDLE Handle) {
    Handles& all = handles();
    _KTHREAD* thread = nullptr;
    {
        const std::lock_guard held(all.mutex);
        const auto found = all.open.find(Handle);
        if (found != all.open.end()) {
            thread = found->second;
            all.open.erase(found);
        }
    }
    if (thread == nullptr) {
        report(OPENND_WDM_RULE_FREE, {kHandle, Handle}, "is closed, but was closed before, or is none");
        return STATUS_INVALID_HANDLE;
    }
    drop_reference(*thread);
    return STATUS_SUCCESS;
}
