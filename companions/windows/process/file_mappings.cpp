// SPDX-License-Identifier: MIT
// CreateFileMapping and views. Memory without a file is a file of the system's own that has no name.
#include "win32/file_mappings.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "win32/integer_limits.h"
#include "windows/last_error.h"
#include "windows/memory/secure_memory.h"
#include "windows/memory/views.h"
#include "windows/process/file.h"
#include "windows/sync/names.h"

namespace opennd::windows {
namespace {

// What a protection lets views do. All may read.
struct Rights {
    bool write = false;  // what others see
    bool execute = false;
};

std::optional<Rights> rights_of(DWORD protection) {
    switch (protection & ~SEC_COMMIT) {
        case PAGE_READONLY:
        case PAGE_WRITECOPY: return Rights{};
        case PAGE_READWRITE: return Rights{.write = true};
        case PAGE_EXECUTE_READ:
        case PAGE_EXECUTE_WRITECOPY: return Rights{.execute = true};
        case PAGE_EXECUTE_READWRITE: return Rights{.write = true, .execute = true};
        default: return std::nullopt;
    }
}

class Mapping final : public Companion {
public:
    // Owns the descriptor.
    explicit Mapping(int descriptor) : descriptor_(descriptor) {}
    ~Mapping() override {
        if (descriptor_ >= 0) close(descriptor_);
    }

    // Once. ERROR_SUCCESS, or why the file cannot be mapped so; `bytes` 0: all of it.
    DWORD begin(ULONGLONG bytes, const Rights& rights, bool may_grow) {
        struct stat status;
        if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return ERROR_NO_SYSTEM_RESOURCES;
        const auto there = static_cast<ULONGLONG>(status.st_size);
        if (there == 0 && bytes == 0) return ERROR_FILE_INVALID;
        if (there < bytes) {
            if (!may_grow) return ERROR_NOT_ENOUGH_MEMORY;
            if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) return ERROR_DISK_FULL;
        }
        rights_ = rights;
        bytes_ = bytes != 0 ? bytes : there;
        return ERROR_SUCCESS;
    }

    int descriptor() const { return descriptor_; }
    const Rights& rights() const { return rights_; }
    ULONGLONG bytes() const { return bytes_; }

private:
    const int descriptor_;
    Rights rights_;  // constant from the time the mapping has a handle, as is the size
    ULONGLONG bytes_ = 0;
};

// A descriptor of its own, so that the file may be closed. -1: none.
DWORD descriptor_for(HANDLE file, const Rights& rights, int& descriptor) {
    if (file == INVALID_HANDLE_VALUE) {
        descriptor = memfd_create("opennd-mapping", MFD_CLOEXEC);
        return ERROR_SUCCESS;
    }
    const auto found = find_companion<File>(file);
    if (!found) return ERROR_INVALID_HANDLE;
    if (!found->can_read() || (rights.write && !found->can_write())) return ERROR_ACCESS_DENIED;
    descriptor = fcntl(found->descriptor(), F_DUPFD_CLOEXEC, 0);
    return ERROR_SUCCESS;
}

HANDLE create(HANDLE file, DWORD protection, ULONGLONG bytes, bool named) try {
    if (named) return refuse_name("CreateFileMapping");
    const std::optional<Rights> rights = rights_of(protection);
    const bool is_memory = file == INVALID_HANDLE_VALUE;
    if (!rights || (is_memory && bytes == 0) || bytes > static_cast<ULONGLONG>(MAXLONGLONG))
        return fail(ERROR_INVALID_PARAMETER, HANDLE{});
    int descriptor = -1;
    if (const DWORD error = descriptor_for(file, *rights, descriptor); error != ERROR_SUCCESS)
        return fail(error, HANDLE{});
    auto mapping = std::make_shared<Mapping>(descriptor);
    const DWORD error = mapping->begin(bytes, *rights, rights->write || is_memory);
    if (error != ERROR_SUCCESS) return fail(error, HANDLE{});
    HANDLE const handle = open_companion(std::move(mapping));
    if (handle != nullptr) SetLastError(ERROR_SUCCESS);
    return handle;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, HANDLE{});
}

struct Access {
    int protection;
    int sharing;
};

// ERROR_SUCCESS; ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER.
DWORD access_of(DWORD wanted, const Rights& rights, Access& access) {
    const bool copies = wanted == FILE_MAP_COPY || wanted == (FILE_MAP_COPY | FILE_MAP_EXECUTE);
    const bool writes = !copies && (wanted & FILE_MAP_WRITE) != 0;
    const bool executes = (wanted & FILE_MAP_EXECUTE) != 0;
    if (!copies && !writes && (wanted & FILE_MAP_READ) == 0) return ERROR_INVALID_PARAMETER;
    if ((writes && !rights.write) || (executes && !rights.execute)) return ERROR_ACCESS_DENIED;
    access.protection = PROT_READ | (copies || writes ? PROT_WRITE : 0) | (executes ? PROT_EXEC : 0);
    access.sharing = copies ? MAP_PRIVATE : MAP_SHARED;
    return ERROR_SUCCESS;
}

// ERROR_SUCCESS, or why there is no view; bytes 0: to the end.
DWORD map(const Mapping& mapping, const Access& access, ULONGLONG offset, SIZE_T bytes, LPVOID base, LPVOID& view) {
    const auto page = static_cast<ULONGLONG>(sysconf(_SC_PAGESIZE));
    if (offset % page != 0 || reinterpret_cast<ULONG_PTR>(base) % page != 0) return ERROR_MAPPED_ALIGNMENT;
    if (offset >= mapping.bytes() || bytes > mapping.bytes() - offset) return ERROR_ACCESS_DENIED;
    if (bytes == 0) bytes = mapping.bytes() - offset;
    const int at = base != nullptr ? MAP_FIXED_NOREPLACE : 0;
    view = mmap(base, bytes, access.protection, access.sharing | at, mapping.descriptor(), static_cast<off_t>(offset));
    if (view == MAP_FAILED) return errno == EEXIST ? ERROR_INVALID_ADDRESS : win32_error_of_errno(errno);
    try {
        keep_view({reinterpret_cast<std::uintptr_t>(view), (bytes + page - 1) / page * page});
    } catch (const std::bad_alloc&) {
        munmap(view, bytes);
        throw;
    }
    return ERROR_SUCCESS;
}

ULONGLONG number_of_halves(DWORD high, DWORD low) { return ULONGLONG{high} << 32 | low; }

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE CreateFileMappingA(HANDLE hFile, LPSECURITY_ATTRIBUTES, DWORD flProtect, DWORD dwMaximumSizeHigh,
                          DWORD dwMaximumSizeLow, LPCSTR lpName) {
    return create(hFile, flProtect, number_of_halves(dwMaximumSizeHigh, dwMaximumSizeLow), lpName != nullptr);
}

HANDLE CreateFileMappingW(HANDLE hFile, LPSECURITY_ATTRIBUTES, DWORD flProtect, DWORD dwMaximumSizeHigh,
                          DWORD dwMaximumSizeLow, LPCWSTR lpName) {
    return create(hFile, flProtect, number_of_halves(dwMaximumSizeHigh, dwMaximumSizeLow), lpName != nullptr);
}

LPVOID MapViewOfFile(HANDLE hFileMappingObject, DWORD dwDesiredAccess, DWORD dwFileOffsetHigh, DWORD dwFileOffsetLow,
                     SIZE_T dwNumberOfBytesToMap) {
    return MapViewOfFileEx(hFileMappingObject, dwDesiredAccess, dwFileOffsetHigh, dwFileOffsetLow, dwNumberOfBytesToMap,
                           nullptr);
}

LPVOID MapViewOfFileEx(HANDLE hFileMappingObject, DWORD dwDesiredAccess, DWORD dwFileOffsetHigh, DWORD dwFileOffsetLow,
                       SIZE_T dwNumberOfBytesToMap, LPVOID lpBaseAddress) try {
    const auto mapping = find_companion<Mapping>(hFileMappingObject);
    if (!mapping) return fail(ERROR_INVALID_HANDLE, LPVOID{});
    Access access{};
    DWORD error = access_of(dwDesiredAccess, mapping->rights(), access);
    LPVOID view = nullptr;
    if (error == ERROR_SUCCESS)
        error = map(*mapping, access, number_of_halves(dwFileOffsetHigh, dwFileOffsetLow), dwNumberOfBytesToMap,
                    lpBaseAddress, view);
    return error == ERROR_SUCCESS ? view : fail(error, LPVOID{});
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, LPVOID{});
}

BOOL UnmapViewOfFile(LPCVOID lpBaseAddress) {
    const auto begin = reinterpret_cast<std::uintptr_t>(lpBaseAddress);
    const std::optional<View> view = take_view(begin);
    if (!view) return fail(ERROR_INVALID_ADDRESS, FALSE);
    const auto address = const_cast<LPVOID>(lpBaseAddress);
    tell_that_memory_goes(address, view->bytes);
    munmap(address, view->bytes);
    return TRUE;
}
