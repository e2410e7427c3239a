// SPDX-License-Identifier: MIT
//
// LoadLibrary and its kin, files as programs compare them, and the functions of COM.
#include <windows.h>

#include <objbase.h>

#include <cwchar>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opennd.h"

namespace opennd::catalogue {
namespace {

std::string library_path() {
    opennd_provider entries[16];
    ULONG count = 0;
    EXPECT_EQ(opennd_provider_list(entries, 16, &count), ND_SUCCESS);
    return entries[0].module;
}

TEST(Modules, LoadFindAndFree) {
    const std::string path = library_path();
    HMODULE const module = LoadLibraryA(path.c_str());
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(LoadLibraryW(std::wstring(path.begin(), path.end()).c_str()), module);
    EXPECT_EQ(LoadLibraryExA(path.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH), module);
    EXPECT_NE(GetProcAddress(module, "NdStartup"), nullptr);
    EXPECT_EQ(GetProcAddress(module, "NoSuchFunction"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_PROC_NOT_FOUND});
    EXPECT_EQ(GetModuleHandleA(path.c_str()), module);
    char name[4096];
    EXPECT_EQ(GetModuleFileNameA(module, name, sizeof name), path.size());
    EXPECT_EQ(name, path);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(FreeLibrary(module));
    EXPECT_FALSE(FreeLibrary(nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST(Modules, SaysWhyItCannotLoad) {
    EXPECT_EQ(LoadLibraryA("/no/such/file.so"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_MOD_NOT_FOUND});
    EXPECT_EQ(LoadLibraryA("/etc/passwd"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_BAD_EXE_FORMAT});
    EXPECT_EQ(LoadLibraryA(nullptr), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(LoadLibraryExA("x", nullptr, 0x2), nullptr) << "not as data";
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

void keep_line(void* lines, opennd_log_level, const char* message) {
    static_cast<std::vector<std::string>*>(lines)->emplace_back(message);
}

TEST(Modules, TheLogHasTheLoadersWords) {
    std::vector<std::string> lines;
    ASSERT_EQ(opennd_log_sink(keep_line, &lines, OPENND_LOG_WARN), ND_SUCCESS);
    EXPECT_EQ(LoadLibraryA("module.dll"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_MOD_NOT_FOUND});
    EXPECT_EQ(LoadLibraryA("/etc/passwd"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_BAD_EXE_FORMAT});
    opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].rfind("LoadLibrary: module.dll: cannot open shared object file", 0), 0u) << lines[0];
    EXPECT_NE(lines[0].find("a module is a shared object here"), std::string::npos) << lines[0];
    EXPECT_EQ(lines[1].rfind("LoadLibrary: /etc/passwd: ", 0), 0u) << lines[1];
}

// Windows' modules contain exactly this library's functions.
TEST(Modules, OfWindowsAreThisLibrary) {
    HMODULE const kernel = GetModuleHandleW(L"kernel32.dll");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(GetModuleHandleA("KERNEL32"), kernel);
    EXPECT_EQ(GetModuleHandleW(L"KernelBase.DLL"), kernel);
    EXPECT_EQ(GetModuleHandleA("Shell32.dll"), kernel);
    EXPECT_EQ(reinterpret_cast<void*>(GetProcAddress(kernel, "WaitOnAddress")),
              reinterpret_cast<void*>(&WaitOnAddress));
    EXPECT_EQ(GetProcAddress(kernel, "SetThreadDescription"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_PROC_NOT_FOUND});
    EXPECT_EQ(GetProcAddress(kernel, "printf"), nullptr) << "of the system's library, not of Windows'";
    EXPECT_EQ(GetProcAddress(kernel, "NdStartup"), nullptr);
    EXPECT_EQ(GetModuleHandleA("user32.dll"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_MOD_NOT_FOUND});
    HMODULE const loaded = LoadLibraryW(L"C:\\Windows\\System32\\ws2_32.dll");
    EXPECT_EQ(loaded, kernel);
    EXPECT_TRUE(FreeLibrary(loaded));
    EXPECT_EQ(LoadLibraryA("/opt/vendor/kernel32.dll"), nullptr) << "a path of this system";
    EXPECT_EQ(GetProcAddress(GetModuleHandleA(nullptr), reinterpret_cast<LPCSTR>(7)), nullptr) << "an ordinal";
}

TEST(Modules, TheProgramIsOne) {
    WCHAR path[4096];
    const DWORD length = GetModuleFileNameW(nullptr, path, 4096);
    ASSERT_GT(length, 0u);
    EXPECT_EQ(std::wcslen(path), length);
    HMODULE const program = GetModuleHandleW(nullptr);
    EXPECT_EQ(LoadLibraryW(path), program);
    WCHAR cut[4];
    EXPECT_EQ(GetModuleFileNameW(nullptr, cut, 4), 4u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INSUFFICIENT_BUFFER});
    EXPECT_EQ(std::wcslen(cut), 3u);
}

class TemporaryFile {
public:
    TemporaryFile() {
        const int descriptor = mkstemp(name_.data());
        if (descriptor >= 0) close(descriptor);
    }
    ~TemporaryFile() { unlink(name()); }
    const char* name() const { return name_.c_str(); }
    std::wstring wide_name() const { return {name_.begin(), name_.end()}; }

private:
    std::string name_ = (std::filesystem::temp_directory_path() / "opennd_file_XXXXXX").string();  // mkstemp's pattern
};

HANDLE open(const TemporaryFile& file, DWORD access, DWORD disposition) {
    return CreateFileA(file.name(), access, FILE_SHARE_READ, nullptr, disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
}

TEST(Files, AreComparedByVolumeAndIndex) {
    const TemporaryFile one, other;
    BY_HANDLE_FILE_INFORMATION first, second, third;
    HANDLE const a = open(one, 0, OPEN_EXISTING);
    HANDLE const b = CreateFileW(one.wide_name().c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    HANDLE const c = open(other, GENERIC_READ, OPEN_EXISTING);
    ASSERT_TRUE(GetFileInformationByHandle(a, &first) && GetFileInformationByHandle(b, &second) &&
                GetFileInformationByHandle(c, &third));
    EXPECT_EQ(first.dwVolumeSerialNumber, second.dwVolumeSerialNumber);
    EXPECT_EQ(first.nFileIndexLow, second.nFileIndexLow);
    EXPECT_EQ(first.nFileIndexHigh, second.nFileIndexHigh);
    EXPECT_NE(first.nFileIndexLow, third.nFileIndexLow);
    for (HANDLE handle : {a, b, c}) EXPECT_TRUE(CloseHandle(handle));
    EXPECT_FALSE(GetFileInformationByHandle(a, &first));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST(Files, AreWrittenAndRead) {
    const TemporaryFile file;
    HANDLE const out = open(file, GENERIC_WRITE, CREATE_ALWAYS);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_ALREADY_EXISTS});
    DWORD bytes = 0;
    EXPECT_TRUE(WriteFile(out, "abc", 3, &bytes, nullptr));
    EXPECT_EQ(bytes, 3u);
    char text[8] = "";
    EXPECT_FALSE(ReadFile(out, text, sizeof text, &bytes, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_ACCESS_DENIED});
    EXPECT_TRUE(CloseHandle(out));
    HANDLE const in = open(file, GENERIC_READ, OPEN_EXISTING);
    EXPECT_TRUE(ReadFile(in, text, sizeof text, &bytes, nullptr));
    EXPECT_EQ(std::string(text, bytes), "abc");
    LARGE_INTEGER size{};
    EXPECT_TRUE(GetFileSizeEx(in, &size));
    EXPECT_EQ(size.QuadPart, 3);
    EXPECT_FALSE(GetFileSizeEx(in, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_TRUE(ReadFile(in, text, sizeof text, &bytes, nullptr));
    EXPECT_EQ(bytes, 0u) << "the end";
    EXPECT_TRUE(CloseHandle(in));
    EXPECT_FALSE(ReadFile(in, text, sizeof text, &bytes, nullptr));
    EXPECT_FALSE(GetFileSizeEx(in, &size));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST(Files, HaveAttributes) {
    const TemporaryFile file;
    EXPECT_EQ(GetFileAttributesA(file.name()), FILE_ATTRIBUTE_NORMAL);
    EXPECT_EQ(GetFileAttributesW(L"/tmp"), FILE_ATTRIBUTE_DIRECTORY);
    EXPECT_EQ(GetFileAttributesA("/no/such"), INVALID_FILE_ATTRIBUTES);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_FILE_NOT_FOUND});
}

TEST(Files, SayWhyTheyCannotBeOpened) {
    const TemporaryFile file;
    EXPECT_EQ(open(file, GENERIC_READ, CREATE_NEW), INVALID_HANDLE_VALUE);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_FILE_EXISTS});
    EXPECT_EQ(CreateFileA("/no/such", GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr), INVALID_HANDLE_VALUE);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_FILE_NOT_FOUND});
    EXPECT_EQ(open(file, GENERIC_READ, 9), INVALID_HANDLE_VALUE);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(Com, HasNothingToStartAndWritesIdentifiers) {
    EXPECT_EQ(CoInitialize(nullptr), S_OK);
    EXPECT_EQ(CoInitializeEx(nullptr, COINIT_MULTITHREADED), S_OK);
    CoUninitialize();
    const GUID id = {0x01234567, 0x89AB, 0xCDEF, {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}};
    OLECHAR text[39];
    EXPECT_EQ(StringFromGUID2(id, text, 39), 39);
    EXPECT_EQ(std::wstring(text), L"{01234567-89AB-CDEF-0123-456789ABCDEF}");
    EXPECT_EQ(StringFromGUID2(id, text, 38), 0);
}

}  // namespace
}  // namespace opennd::catalogue
