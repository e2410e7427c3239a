// SPDX-License-Identifier: MIT
// LoadLibrary and its kin, on the system's loader.
#include "win32/modules.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ndcom.h"
#include "windows/either_width.h"
#include "windows/last_error.h"

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

HMODULE load(const std::string& name, HANDLE file, DWORD flags) {
    if (name.empty() || file != nullptr || (flags & ~kIgnoredFlags) != 0)
        return fail(ERROR_INVALID_PARAMETER, HMODULE{nullptr});
    if (HMODULE const module = open(name.c_str(), RTLD_NOW)) return module;
    const bool there = name.find('/') != std::string::npos && access(name.c_str(), F_OK) == 0;
    return fail(there ? ERROR_BAD_EXE_FORMAT : ERROR_MOD_NOT_FOUND, HMODULE{nullptr});
}

HMODULE find_loaded(const char* name) {
    HMODULE const module = open(name, RTLD_NOW | RTLD_NOLOAD);
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

// What libopennd exports as a module. Where it is linked into the program, the program is the module (docs/providers.md) and
// its symbols need not be in any table that the loader has.
FARPROC own_export(HMODULE module, std::string_view name) {
    if (module != find_loaded(nullptr)) return nullptr;
    void* address = nullptr;
    if (name == "DllGetClassObject") address = reinterpret_cast<void*>(&::DllGetClassObject);
    if (name == "DllCanUnloadNow") address = reinterpret_cast<void*>(&::DllCanUnloadNow);
    return reinterpret_cast<FARPROC>(address);
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
    if (hLibModule == nullptr || dlclose(hLibModule) != 0) return fail(ERROR_INVALID_HANDLE, FALSE);
    return TRUE;
}

FARPROC GetProcAddress(HMODULE hModule, LPCSTR lpProcName) {
    // Windows takes numbers below 65536 for ordinals.
    const bool ordinal = reinterpret_cast<std::uintptr_t>(lpProcName) < 0x10000;
    if (hModule == nullptr || ordinal) return fail(ERROR_PROC_NOT_FOUND, FARPROC{nullptr});
    if (void* const found = dlsym(hModule, lpProcName)) return reinterpret_cast<FARPROC>(found);
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
