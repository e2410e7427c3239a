// SPDX-License-Identifier: MIT
// Which processors threads run on. Windows numbers them in groups of 64: processor 70 is number 6 of group 1.
#include <sched.h>

#include <cerrno>
#include <optional>

#include "windows/last_error.h"
#include "windows/process/thread.h"

using namespace opennd::windows;

namespace {

constexpr int kGroupSize = 64;

KAFFINITY mask_of_group(const cpu_set_t& processors, int group) {
    KAFFINITY mask = 0;
    for (int i = 0; i < kGroupSize && group * kGroupSize + i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(group * kGroupSize + i, &processors)) mask |= KAFFINITY{1} << i;
    return mask;
}

GROUP_AFFINITY first_group(const cpu_set_t& processors) {
    for (int group = 0; group < CPU_SETSIZE / kGroupSize; ++group)
        if (const KAFFINITY mask = mask_of_group(processors, group); mask != 0)
            return {mask, static_cast<WORD>(group), {0, 0, 0}};
    return {};
}

// The affinity before the change; nullopt: failed, and the last error is set.
std::optional<cpu_set_t> change(HANDLE thread, KAFFINITY mask, int group) {
    const pid_t id = thread_id_of(thread);
    cpu_set_t before;
    if (id == 0 || sched_getaffinity(id, sizeof before, &before) != 0) return fail(ERROR_INVALID_HANDLE, std::nullopt);
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (int i = 0; i < kGroupSize && group * kGroupSize + i < CPU_SETSIZE; ++i)
        if ((mask >> i & 1) != 0) CPU_SET(group * kGroupSize + i, &wanted);
    if (sched_setaffinity(id, sizeof wanted, &wanted) != 0)
        return fail(errno == ESRCH ? DWORD{ERROR_INVALID_HANDLE} : DWORD{ERROR_INVALID_PARAMETER}, std::nullopt);
    return before;
}

}  // namespace

DWORD_PTR SetThreadAffinityMask(HANDLE hThread, DWORD_PTR dwThreadAffinityMask) {
    const std::optional<cpu_set_t> before = change(hThread, dwThreadAffinityMask, 0);
    if (!before) return 0;
    const KAFFINITY mask = mask_of_group(*before, 0);
    return mask != 0 ? mask : first_group(*before).Mask;  // 0 would say that it failed
}

BOOL SetThreadGroupAffinity(HANDLE hThread, const GROUP_AFFINITY* GroupAffinity,
                            PGROUP_AFFINITY PreviousGroupAffinity) {
    if (GroupAffinity == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const std::optional<cpu_set_t> before = change(hThread, GroupAffinity->Mask, GroupAffinity->Group);
    if (!before) return FALSE;
    if (PreviousGroupAffinity != nullptr) *PreviousGroupAffinity = first_group(*before);
    return TRUE;
}

DWORD GetCurrentProcessorNumber(VOID) { return static_cast<DWORD>(sched_getcpu() % kGroupSize); }

VOID GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER ProcNumber) {
    const int processor = sched_getcpu();
    *ProcNumber = {static_cast<WORD>(processor / kGroupSize), static_cast<BYTE>(processor % kGroupSize), 0};
}
