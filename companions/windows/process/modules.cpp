// SPDX-License-Identifier: MIT
// LoadLibrary and its kin, on the system's loader. module_entries.h calls DllMain.
#include "win32/modules.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "ndcom.h"
#include "opennd.h"
#include "win32/secure_memory.h"
#include "windows/last_error.h"
#include "windows/process/module_entries.h"
#include "windows/text/either_width.h"

namespace opennd::windows {
namespace {

constexpr DWORD kIgnoredFlags = LOAD_WITH_ALTERED_SEARCH_PATH | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR |
                                LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;

std::string path_of_program() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

bool is_program(const std::string& path) { return path.starts_with('/') && path == path_of_program(); }

// Null name: the program. dlopen refuses to load the program by its path.
void* open(const char* name, int flags) {
    const bool program = name == nullptr || is_program(name);
    return dlopen(program ? nullptr : name, RTLD_LOCAL | flags);
}

// Held while a module is loaded and its DllMain called, and while one is unloaded: every handle that a thread sees is
// of a module that started. DllMain may load others.
std::recursive_mutex& loader() {
    static auto* const mutex = new std::recursive_mutex;  // never destroyed: programs unload modules while they exit
    return *mutex;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Windows' modules with functions that this library has.
bool is_of_windows(std::string name) {
    if (name.find('/') != std::string::npos) return false;  // a path of this system's
    name.erase(0, name.rfind('\\') + 1);
    std::transform(name.begin(), name.end(), name.begin(), small);
    if (name.ends_with(".dll")) name.resize(name.size() - std::strlen(".dll"));
    constexpr std::array<std::string_view, 9> kModules{"kernel32", "kernelbase", "ntdll",  "ws2_32", "iphlpapi",
                                                       "advapi32", "ole32",      "rpcrt4", "shell32"};
    return std::find(kModules.begin(), kModules.end(), name) != kModules.end();
}

// Where this library is: its own file, or the program that it is linked into.
const link_map& own_place() {
    Dl_info info{};
    void* map = nullptr;
    dladdr1(reinterpret_cast<void*>(&is_of_windows), &info, &map, RTLD_DL_LINKMAP);
    return *static_cast<const link_map*>(map);
}

void* open_own(int flags) { return open(*own_place().l_name != '\0' ? own_place().l_name : nullptr, flags); }

struct Attempt {
    HMODULE module = nullptr;  // null: it failed
    DWORD error = ERROR_SUCCESS;
    std::string reason = {};  // of the system's loader
};

Attempt load_and_start(const std::string& name) {
    const std::lock_guard held(loader());
    ModuleLoading loading;
    HMODULE const module = open(name.c_str(), RTLD_NOW);
    if (module == nullptr) {
        const char* const reason = dlerror();
        const bool there = name.find('/') != std::string::npos && access(name.c_str(), F_OK) == 0;
        return {nullptr, there ? DWORD{ERROR_BAD_EXE_FORMAT} : DWORD{ERROR_MOD_NOT_FOUND}, reason ? reason : name};
    }
    if (loading.start()) return {module};
    const ModuleUnloading unloading;
    dlclose(module);
    return {nullptr, ERROR_DLL_INIT_FAILED, name + ": its DllMain gave FALSE"};
}

// Under no lock, since the program's function for lines may load modules. The error's number does not tell which symbol, or
// which further module, is missing.
HMODULE refuse(const Attempt& attempt) {
    std::string line = "LoadLibrary: " + attempt.reason;
    if (attempt.error == ERROR_MOD_NOT_FOUND)
        line += "; a module is a shared object here, named by its path or found as dlopen finds it";
    opennd_log_write(OPENND_LOG_WARN, line.c_str());
    return fail(attempt.error, HMODULE{nullptr});
}

HMODULE load(const std::string& name, HANDLE file, DWORD flags) {
    if (name.empty() || file != nullptr || (flags & ~kIgnoredFlags) != 0)
        return fail(ERROR_INVALID_PARAMETER, HMODULE{nullptr});
    if (is_of_windows(name)) return open_own(RTLD_NOW);
    const Attempt attempt = load_and_start(name);
    return attempt.module != nullptr ? attempt.module : refuse(attempt);
}

// Null: the program.
HMODULE find_loaded(const char* name) {
    HMODULE const module =
        name != nullptr && is_of_windows(name) ? open_own(RTLD_NOW | RTLD_NOLOAD) : open(name, RTLD_NOW | RTLD_NOLOAD);
    if (module == nullptr) return fail(ERROR_MOD_NOT_FOUND, HMODULE{nullptr});
    dlclose(module);  // it is not a reference
    return module;
}

std::string path_of(HMODULE module) {
    if (module == nullptr) return path_of_program();
    link_map* map = nullptr;
    if (dlinfo(module, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
    return *map->l_name ? std::string(map->l_name) : path_of_program();
}

template <typename Char>
DWORD file_name(HMODULE module, Char* out, DWORD room) {
    const auto path = text_as<Char>(path_of(module));
    if (path.empty()) return fail(ERROR_MOD_NOT_FOUND, DWORD{0});
    if (room == 0 || out == nullptr) return fail(ERROR_INSUFFICIENT_BUFFER, DWORD{0});
    const std::size_t length = std::min<std::size_t>(path.size(), room - 1);
    std::copy_n(path.data(), length, out);
    out[length] = Char{};
    return length == path.size() ? static_cast<DWORD>(length) : fail(ERROR_INSUFFICIENT_BUFFER, room);
}

struct Export {
    std::string_view name;
    void* address;
};

// Lookups by name in libopennd and this library. Where they are linked into the program, the program is the module
// (docs/providers.md) and its symbols need not be in any of the loader's tables.
FARPROC own_export(HMODULE module, std::string_view name) {
    if (module != find_loaded(nullptr)) return nullptr;
    const std::array exports{
        Export{"DllGetClassObject", reinterpret_cast<void*>(&::DllGetClassObject)},
        Export{"DllCanUnloadNow", reinterpret_cast<void*>(&::DllCanUnloadNow)},
        Export{"AddSecureMemoryCacheCallback", reinterpret_cast<void*>(&::AddSecureMemoryCacheCallback)},
        Export{"RemoveSecureMemoryCacheCallback", reinterpret_cast<void*>(&::RemoveSecureMemoryCacheCallback)},
    };
    for (const Export& known : exports)
        if (known.name == name) return reinterpret_cast<FARPROC>(known.address);
    return nullptr;
}

// dlsym also searches the libraries that a module depends on. For Windows' modules only this library counts.
void* find_symbol(HMODULE module, const char* name) {
    void* const found = dlsym(module, name);
    if (found == nullptr || module != static_cast<const void*>(&own_place()) || *own_place().l_name == '\0')
        return found;
    Dl_info info{};
    link_map* map = nullptr;
    const bool known = dladdr1(found, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0;
    return known && map == &own_place() ? found : nullptr;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HMODULE LoadLibraryA(LPCSTR lpLibFileName) { return LoadLibraryExA(lpLibFileName, nullptr, 0); }

HMODULE LoadLibraryW(LPCWSTR lpLibFileName) { return LoadLibraryExW(lpLibFileName, nullptr, 0); }

HMODULE LoadLibraryExA(LPCSTR lpLibFileName, HANDLE hFile, DWORD dwFlags) {
    return load(lpLibFileName ? lpLibFileName : "", hFile, dwFlags);
}

HMODULE LoadLibraryExW(LPCWSTR lpLibFileName, HANDLE hFile, DWORD dwFlags) {
    return load(lpLibFileName ? utf8_of(lpLibFileName) : "", hFile, dwFlags);
}

BOOL FreeLibrary(HMODULE hLibModule) {
    const std::lock_guard held(loader());
    const ModuleUnloading unloading;
    if (hLibModule == nullptr || dlclose(hLibModule) != 0) return fail(ERROR_INVALID_HANDLE, FALSE);
    return TRUE;
}

BOOL DisableThreadLibraryCalls(HMODULE hLibModule) {
    if (hLibModule == nullptr) return fail(ERROR_INVALID_HANDLE, FALSE);
    leave_threads_untold(hLibModule);
    return TRUE;
}

FARPROC GetProcAddress(HMODULE hModule, LPCSTR lpProcName) {
    // Windows takes numbers below 65536 for ordinals.
    const bool ordinal = reinterpret_cast<std::uintptr_t>(lpProcName) < 0x10000;
    if (hModule == nullptr || ordinal) return fail(ERROR_PROC_NOT_FOUND, FARPROC{nullptr});
    if (void* const found = find_symbol(hModule, lpProcName)) return reinterpret_cast<FARPROC>(found);
    if (FARPROC const own = own_export(hModule, lpProcName)) return own;
    return fail(ERROR_PROC_NOT_FOUND, FARPROC{nullptr});
}

HMODULE GetModuleHandleA(LPCSTR lpModuleName) { return find_loaded(lpModuleName); }

HMODULE GetModuleHandleW(LPCWSTR lpModuleName) {
    return find_loaded(lpModuleName ? utf8_of(lpModuleName).c_str() : nullptr);
}

DWORD GetModuleFileNameA(HMODULE hModule, LPSTR lpFilename, DWORD nSize) {
    return file_name(hModule, lpFilename, nSize);
}

DWORD GetModuleFileNameW(HMODULE hModule, LPWSTR lpFilename, DWORD nSize) {
    return file_name(hModule, lpFilename, nSize);
}
