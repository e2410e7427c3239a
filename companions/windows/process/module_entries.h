// SPDX-License-Identifier: MIT
// The modules that have a DllMain, and when it is called. entry.h has the macro that brings them here.
#pragma once

#include <vector>

#include "win32/entry.h"

namespace opennd::windows {

// While one lives, the modules that come in this thread wait for start(): all their constructors run first.
class ModuleLoading {
public:
    ModuleLoading();
    ~ModuleLoading();
    ModuleLoading(const ModuleLoading&) = delete;
    ModuleLoading& operator=(const ModuleLoading&) = delete;

    // Calls each DllMain. False: one gave FALSE, or there is no memory; those behind it are not called.
    bool start() noexcept;

    // Called by modules as they come.
    void add(OPENND_DLL_MAIN dll_main) noexcept;

private:
    ModuleLoading* const outer_;
    std::vector<OPENND_DLL_MAIN> waiting_;
    bool out_of_memory_ = false;
};

// While one lives, a module that goes in this thread is unloaded; otherwise the process ends.
class ModuleUnloading {
public:
    ModuleUnloading();
    ~ModuleUnloading();
    ModuleUnloading(const ModuleUnloading&) = delete;
    ModuleUnloading& operator=(const ModuleUnloading&) = delete;

private:
    const bool outer_;
};

// Tells every DllMain that the calling thread begins or ends.
void tell_modules(DWORD reason) noexcept;

// DllMain of this module, if it has one, is no longer told of threads.
void leave_threads_untold(HMODULE module) noexcept;

}  // namespace opennd::windows
