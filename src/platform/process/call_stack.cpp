// SPDX-License-Identifier: MIT
// See call_stack.h. docs/decisions/0065 says why the names come from the dynamic linker.
#include "platform/process/call_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "base/format.h"
#include "base/kept_once.h"

namespace opennd {
namespace {

// The file that this code is in.
struct OwnFile {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
    bool is_program = false;

    OwnFile() { dl_iterate_phdr(&look, this); }
    bool holds(const void* frame) const {
        const auto address = reinterpret_cast<std::uintptr_t>(frame);
        return address >= start && address < end;
    }

private:
    static int look(dl_phdr_info* file, std::size_t, void* context) {
        const auto own = reinterpret_cast<std::uintptr_t>(&program_stack);
        std::uintptr_t first = UINTPTR_MAX, behind = 0;
        for (int i = 0; i < file->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = file->dlpi_phdr[i];
            if (part.p_type != PT_LOAD) continue;
            first = std::min<std::uintptr_t>(first, file->dlpi_addr + part.p_vaddr);
            behind = std::max<std::uintptr_t>(behind, file->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
        if (own < first || own >= behind) return 0;
        auto& found = *static_cast<OwnFile*>(context);
        found.start = first;
        found.end = behind;
        found.is_program = file->dlpi_name == nullptr || *file->dlpi_name == '\0';
        return 1;
    }
};

std::string demangled(const char* symbol) {
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &failed),
                                                           &std::free);
    return failed == 0 && text ? text.get() : symbol;
}

std::string_view file_name(const char* path) {
    const std::string_view whole(path);
    return whole.substr(whole.rfind('/') + 1);
}

// The outermost frames of each thread say nothing, and are all that threads of the library have.
bool starts_threads(const void* frame) {
    Dl_info info{};
    if (::dladdr(static_cast<const char*>(frame) - 1, &info) == 0 || info.dli_fname == nullptr) return true;
    const std::string_view file = file_name(info.dli_fname);
    const std::string_view symbol = info.dli_sname ? info.dli_sname : "";
    return file.starts_with("libc.so") || file.starts_with("libstdc++.so") || symbol == "_start";
}

constinit KeptOnce<OwnFile> kept_file;

OwnFile own_file() noexcept try { return kept_file.made(); } catch (const std::bad_alloc&) {
    return OwnFile();
}

}  // namespace

CallStack program_stack() noexcept {
    const OwnFile own = own_file();
    std::array<void*, 64> all;
    const int depth = ::backtrace(all.data(), static_cast<int>(all.size()));
    const auto to = all.begin() + std::max(depth, 0);
    // A sanitizer's own backtrace stands before this function.
    auto from = std::find_if(all.begin(), to, [&own](const void* frame) { return own.holds(frame); });
    // A program that has the library in itself is told all but this function's.
    if (from != to) ++from;
    while (!own.is_program && from != to && own.holds(*from)) ++from;
    CallStack stack;
    stack.count = std::min<std::size_t>(static_cast<std::size_t>(to - from), CallStack::kMost);
    std::copy_n(from, stack.count, stack.frames.begin());
    return stack;
}

std::string frame_text(const void* frame) {
    // The call stands before the address of its return.
    const void* const call = static_cast<const char*>(frame) - 1;
    Dl_info info{};
    void* extra = nullptr;
    if (::dladdr1(call, &info, &extra, RTLD_DL_LINKMAP) == 0 || info.dli_fname == nullptr) return format("{}", frame);
    const auto address = reinterpret_cast<std::uintptr_t>(call);
    const std::string place =
        format("{}+{:#x}", file_name(info.dli_fname), address - static_cast<const link_map*>(extra)->l_addr);
    if (info.dli_sname == nullptr) return place;
    return format("{}+{:#x} in {}", demangled(info.dli_sname),
                  address - reinterpret_cast<std::uintptr_t>(info.dli_saddr), place);
}

std::string stack_text(const CallStack& stack, std::size_t most) {
    std::size_t count = stack.count;
    while (count != 0 && starts_threads(stack.frames[count - 1])) --count;
    std::string text;
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        if (i != 0) text += " < ";
        text += frame_text(stack.frames[i]);
    }
    return text;
}

}  // namespace opennd
