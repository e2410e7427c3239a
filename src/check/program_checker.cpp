// SPDX-License-Identifier: MIT
// See program_checker.h. Without memory an observation is lost: a check changes nothing in a program.
#include "check/program_checker.h"

#include <new>

namespace opennd {
namespace {

template <typename Note>
void as_memory_allows(Note&& note) noexcept {
    try {
        note();
    } catch (const std::bad_alloc&) {
    }
}

// After main, and after the destructors of the program's static objects, which may release objects of OpenND.
[[gnu::destructor]] void check_at_exit() {
    if (Checker* const checks = checker()) checks->at_exit();
}

}  // namespace

void ProgramChecker::tell(const Misuse& misuse) noexcept { diagnostics_.tell(misuse, CallSite::here()); }

void ProgramChecker::made(const void* object, std::string_view kind) noexcept {
    as_memory_allows([&] { objects_.add(object, kind); });
    released_.forget(object);  // a new object at the address of an old one
}

void ProgramChecker::released(const void* object) noexcept {
    if (const std::string_view kind = objects_.remove(object); !kind.empty())
        as_memory_allows([&] { released_.add(object, kind); });
}

void ProgramChecker::used_after_release(const void* object, std::string_view method) noexcept {
    as_memory_allows([&] { released_.tell_use(object, method, diagnostics_); });
}

void ProgramChecker::began(const void* overlapped, const void* object) noexcept {
    as_memory_allows([&] { overlapped_.began(overlapped, object); });
}

void ProgramChecker::ends(const void* overlapped) noexcept {
    as_memory_allows([&] { overlapped_.ends(overlapped); });
}

void ProgramChecker::asked(const void* overlapped, const void* object) noexcept {
    as_memory_allows([&] { overlapped_.asked(overlapped, object); });
}

void ProgramChecker::at_exit() noexcept {
    diagnostics_.tell_counts();
    as_memory_allows([&] { objects_.tell(diagnostics_); });
}

}  // namespace opennd
