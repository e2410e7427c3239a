// SPDX-License-Identifier: MIT
// Calling DllMain; see module_entries.h. A module that LoadLibrary loads is attached behind all its constructors, by
// LoadLibrary; one that the system's loader brings in, among them.
#include "windows/process/module_entries.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <list>
#include <mutex>
#include <new>
#include <utility>

namespace opennd::windows {
namespace {

constinit thread_local ModuleLoading* loading = nullptr;
constinit thread_local bool unloading = false;

// lpvReserved: NULL of a module that is loaded and unloaded while the program runs.
void* const kWithProcess = reinterpret_cast<void*>(std::uintptr_t{1});

struct Entry {
    OPENND_DLL_MAIN dll_main;
    HINSTANCE module;
    std::uint64_t number;  // in the order in which they came
    bool told_of_threads = true;
    unsigned calls = 0;  // about threads, in progress
};

class Entries {
public:
    // Throws std::bad_alloc.
    void add(OPENND_DLL_MAIN dll_main, HINSTANCE module) {
        const std::lock_guard held(mutex_);
        entries_.push_back({dll_main, module, ++last_number_});
    }

    // Returns false if it is not there. Calls in progress are waited for, if it is unloaded: at the end of the process one may
    // be the caller's own.
    bool remove(OPENND_DLL_MAIN dll_main, bool unloaded) {
        std::unique_lock held(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (entry->dll_main != dll_main) continue;
            entry->told_of_threads = false;
            if (unloaded) call_ended_.wait(held, [&] { return entry->calls == 0; });
            if (entry->calls == 0) entries_.erase(entry);
            return true;
        }
        return false;
    }

    void leave_threads_untold(HMODULE module) {
        const std::lock_guard held(mutex_);
        for (Entry& entry : entries_)
            if (entry.module == module) entry.told_of_threads = false;
    }

    // No lock is held in a call: DllMain may call any function.
    void tell(DWORD reason) {
        std::unique_lock held(mutex_);
        for (Entry* entry = after(0); entry != nullptr;) {
            const std::uint64_t number = entry->number;
            ++entry->calls;
            held.unlock();
            entry->dll_main(entry->module, reason, nullptr);
            held.lock();
            --entry->calls;
            call_ended_.notify_all();
            entry = after(number);
        }
    }

private:
    // The first entry above `number` that is told of threads.
    Entry* after(std::uint64_t number) {
        for (Entry& entry : entries_)
            if (entry.number > number && entry.told_of_threads) return &entry;
        return nullptr;
    }

    std::mutex mutex_;
    std::condition_variable call_ended_;
    std::list<Entry> entries_;       // guarded by mutex_
    std::uint64_t last_number_ = 0;  // likewise
};

Entries& entries() {
    static auto* const entries = new Entries;  // never destroyed: modules go while the process ends
    return *entries;
}

// The module that a function is in; null: the program itself. A dlopen handle is the loader's own entry.
link_map* module_of(OPENND_DLL_MAIN function) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(function), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
        return nullptr;
    return map != nullptr && *map->l_name != '\0' ? map : nullptr;
}

// Returns false if DllMain gave FALSE; it has been told that the module goes, as on Windows. Throws std::bad_alloc.
bool attach(OPENND_DLL_MAIN dll_main, void* reserved) {
    HINSTANCE const module = module_of(dll_main);
    entries().add(dll_main, module);
    if (dll_main(module, DLL_PROCESS_ATTACH, reserved)) return true;
    entries().remove(dll_main, reserved == nullptr);
    dll_main(module, DLL_PROCESS_DETACH, reserved);
    return false;
}

// A failed DllMain ends the process; on Windows the exit code is STATUS_DLL_INIT_FAILED, 0xC0000142.
[[noreturn]] void end_process(OPENND_DLL_MAIN dll_main, const char* why) {
    std::fprintf(stderr, "opennd: DllMain of %s %s: the program cannot go on\n", module_of(dll_main)->l_name, why);
    _exit(0x42);
}

}  // namespace

ModuleLoading::ModuleLoading() : outer_(std::exchange(loading, this)) {}

ModuleLoading::~ModuleLoading() { loading = outer_; }

bool ModuleLoading::start() noexcept try {
    // A load inside DllMain has a ModuleLoading of its own.
    for (OPENND_DLL_MAIN const dll_main : waiting_)
        if (!attach(dll_main, nullptr)) return false;
    return !out_of_memory_;
} catch (const std::bad_alloc&) {
    return false;
}

void ModuleLoading::add(OPENND_DLL_MAIN dll_main) noexcept try {
    waiting_.push_back(dll_main);
} catch (const std::bad_alloc&) {
    out_of_memory_ = true;
}

ModuleUnloading::ModuleUnloading() : outer_(std::exchange(unloading, true)) {}

ModuleUnloading::~ModuleUnloading() { unloading = outer_; }

void tell_modules(DWORD reason) noexcept { entries().tell(reason); }

void leave_threads_untold(HMODULE module) noexcept { entries().leave_threads_untold(module); }

}  // namespace opennd::windows

using namespace opennd::windows;

void opennd_module_comes(OPENND_DLL_MAIN dll_main) {
    if (module_of(dll_main) == nullptr) return;
    if (loading != nullptr) {
        loading->add(dll_main);
        return;
    }
    try {
        if (!attach(dll_main, kWithProcess)) end_process(dll_main, "gave FALSE");
    } catch (const std::bad_alloc&) {
        end_process(dll_main, "was not called, for want of memory");
    }
}

void opennd_module_goes(OPENND_DLL_MAIN dll_main) {
    // One that did not start is not told.
    if (!entries().remove(dll_main, unloading)) return;
    dll_main(module_of(dll_main), DLL_PROCESS_DETACH, unloading ? nullptr : kWithProcess);
}
