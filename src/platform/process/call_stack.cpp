// SPDX-License-Identifier: MIT
// See call_stack.h. docs/decisions/0092 says how functions get their names.
#include "platform/process/call_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "base/format.h"
#include "base/kept_once.h"
#include "platform/process/source_places.h"

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

// The call stands before the address of its return.
const void* call_before(const void* frame) { return static_cast<const char*>(frame) - 1; }

// The program's first function, which has a name in few programs.
bool is_start(const void* call) {
    constexpr std::uintptr_t kLongest = 64;
    return reinterpret_cast<std::uintptr_t>(call) - ::getauxval(AT_ENTRY) < kLongest;
}

// The outermost frames of each thread say nothing, and are all that threads of the library have.
bool starts_threads(const void* frame) {
    const void* const call = call_before(frame);
    Dl_info info{};
    if (is_start(call) || ::dladdr(call, &info) == 0 || info.dli_fname == nullptr) return true;
    const std::string_view file = file_name(info.dli_fname);
    return file.starts_with("libc.so") || file.starts_with("libstdc++.so");
}

// "server+0x3a1f", for addr2line; the address where no file is known.
std::string offset_text(const void* call) {
    Dl_info info{};
    void* extra = nullptr;
    if (::dladdr1(call, &info, &extra, RTLD_DL_LINKMAP) == 0 || info.dli_fname == nullptr) return format("{}", call);
    return format("{}+{:#x}", file_name(info.dli_fname),
                  reinterpret_cast<std::uintptr_t>(call) - static_cast<const link_map*>(extra)->l_addr);
}

// The name of a function that its file exports; empty: the dynamic linker knows none.
std::string exported_name(const void* call) {
    Dl_info info{};
    return ::dladdr(call, &info) == 0 || info.dli_sname == nullptr ? std::string() : info.dli_sname;
}

std::string text_of(const SourcePlace& place, const void* call) {
    const std::string where = place.file.empty() ? offset_text(call) : format("{}:{}", place.file, place.line);
    return place.function.empty() ? where : format("{} in {}", demangled(place.function.c_str()), where);
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

std::vector<std::string> frame_texts(const void* frame) {
    const void* const call = call_before(frame);
    std::vector<std::string> texts;
    for (const SourcePlace& place : source_places(call)) texts.push_back(text_of(place, call));
    if (texts.empty()) texts.push_back(text_of({exported_name(call), {}, 0}, call));
    return texts;
}

std::string stack_text(const CallStack& stack, std::size_t most) {
    std::size_t count = stack.count;
    while (count != 0 && starts_threads(stack.frames[count - 1])) --count;
    std::string all;
    std::size_t told = 0;
    for (std::size_t i = 0; i < count; ++i)
        for (const std::string& text : frame_texts(stack.frames[i])) {
            if (told == most) return all;
            if (told++ != 0) all += " < ";
            all += text;
        }
    return all;
}

}  // namespace opennd
