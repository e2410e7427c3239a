// SPDX-License-Identifier: MIT
// Priority classes as nice values. The system keeps one for each thread, and a thread gives its own to those that it
// starts.
#include "win32/priority.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "win32/handles.h"
#include "windows/last_error.h"

namespace opennd::windows {
namespace {

struct PriorityClass {
    DWORD name;
    int nice;
};
constexpr std::array kClasses{PriorityClass{IDLE_PRIORITY_CLASS, 19},  PriorityClass{BELOW_NORMAL_PRIORITY_CLASS, 10},
                              PriorityClass{NORMAL_PRIORITY_CLASS, 0}, PriorityClass{ABOVE_NORMAL_PRIORITY_CLASS, -5},
                              PriorityClass{HIGH_PRIORITY_CLASS, -10}, PriorityClass{REALTIME_PRIORITY_CLASS, -20}};

bool give(id_t thread, int nice) { return setpriority(PRIO_PROCESS, thread, nice) == 0; }

// Threads have the same right as the first, which got the value. One that ends meanwhile needs none. A thread that has not
// got it yet may start another: so the threads are looked at again while some had to be given it.
void give_all_threads(int nice) {
    constexpr int kMostLooks = 100;  // where the system takes a value and does not keep it
    std::error_code error;
    bool given = true;
    for (int look = 0; given && look < kMostLooks; ++look) {
        given = false;
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
            const auto thread = static_cast<id_t>(std::strtoul(entry.path().filename().c_str(), nullptr, 10));
            if (getpriority(PRIO_PROCESS, thread) != nice) given |= give(thread, nice);
        }
    }
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

BOOL SetPriorityClass(HANDLE hProcess, DWORD dwPriorityClass) {
    if (hProcess != GetCurrentProcess()) return fail(ERROR_INVALID_HANDLE, FALSE);
    const auto wanted = std::find_if(kClasses.begin(), kClasses.end(),
                                     [=](const PriorityClass& known) { return known.name == dwPriorityClass; });
    if (wanted == kClasses.end()) return fail(ERROR_INVALID_PARAMETER, FALSE);
    if (!give(static_cast<id_t>(getpid()), wanted->nice)) return fail(ERROR_PRIVILEGE_NOT_HELD, FALSE);
    give_all_threads(wanted->nice);
    return TRUE;
}

DWORD GetPriorityClass(HANDLE hProcess) {
    if (hProcess != GetCurrentProcess()) return fail(ERROR_INVALID_HANDLE, DWORD{0});
    const int nice = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
    const auto distance = [nice](const PriorityClass& known) { return std::abs(known.nice - nice); };
    return std::min_element(
               kClasses.begin(), kClasses.end(),
               [&](const PriorityClass& one, const PriorityClass& other) { return distance(one) < distance(other); })
        ->name;
}
