// SPDX-License-Identifier: MIT
// See mdl_range.h.
#include "ndk/memory/mdl_range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ndk/call/refusal.h"
#include "ndk/device/adapter_info.h"

namespace opennd {
namespace {

constexpr unsigned kPageShift = 12;
static_assert(1u << kPageShift == kNdkPageBytes);

// With one of these the page numbers are filled in (NDK-MDL-04).
constexpr SHORT kFilled = MDL_PAGES_LOCKED | MDL_SOURCE_IS_NONPAGED_POOL | MDL_PARTIAL;

std::uint64_t start_of(const MDL& mdl) { return reinterpret_cast<std::uintptr_t>(mdl.StartVa) + mdl.ByteOffset; }

// The page number that stands for page `index` of the MDL.
std::uint64_t frame(const MDL& mdl, std::uint64_t index) {
    if ((mdl.MdlFlags & kFilled) != 0) return reinterpret_cast<const ULONG_PTR*>(&mdl + 1)[index];
    return (reinterpret_cast<std::uintptr_t>(mdl.StartVa) >> kPageShift) + index;
}

// Calls `visit(virtual page, frame)` for each page of each element, a page in which two elements meet twice. Stops where
// it returns false.
template <typename Visit>
void for_each_page(const MDL* chain, SIZE_T bytes, Visit&& visit) {
    for (const MDL* mdl = chain; mdl && bytes != 0; mdl = mdl->Next) {
        if (mdl->ByteCount == 0) continue;
        const SIZE_T taken = std::min<SIZE_T>(bytes, mdl->ByteCount);
        const std::uint64_t base = reinterpret_cast<std::uintptr_t>(mdl->StartVa) >> kPageShift;
        const std::uint64_t last = (start_of(*mdl) + taken - 1) >> kPageShift;
        for (std::uint64_t page = start_of(*mdl) >> kPageShift; page <= last; ++page)
            if (!visit(page, frame(*mdl, page - base))) return;
        bytes -= taken;
    }
}

NTSTATUS refuse_chain(const NdkCall& call, std::string_view asked, std::string_view limit) {
    return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                             .operation = call.operation,
                                             .asked = asked,
                                             .limit = limit,
                                             .remedy = "build the MDLs of one stretch of virtual memory, in its order",
                                             .requirement = "NDK-MDL-01"});
}

// A context is the adapter; or, with the lowest bit set, a reference to the pages' names.
constexpr std::uintptr_t kNames = 1;

Result<PVOID> context_of(NdkAdapter& adapter, const MdlRange& range) {
    Result<Ref<RefCounted>> names = adapter.core()->name_pages(range.pages());
    if (!names.ok()) return names.status();
    if (!names.value()) return PVOID{&adapter};
    RefCounted* const kept = names.value().get();
    kept->add_ref();
    return reinterpret_cast<PVOID>(reinterpret_cast<std::uintptr_t>(kept) | kNames);
}

void release_context(PVOID context) {
    const auto number = reinterpret_cast<std::uintptr_t>(context);
    if ((number & kNames) != 0) reinterpret_cast<RefCounted*>(number - kNames)->drop_ref();
}

}  // namespace

NTSTATUS MdlRange::check(const NdkCall& call, const MDL* chain, SIZE_T bytes) {
    if (chain == nullptr) return refuse_null(call, "Mdl");
    if (bytes == 0) return refuse_chain(call, "0 bytes", "at least one byte");
    SIZE_T found = 0;
    std::uint64_t next = 0;
    for (const MDL* mdl = chain; mdl && found < bytes; mdl = mdl->Next) {
        if (mdl->ByteCount == 0) continue;
        if (found != 0 && start_of(*mdl) != next)
            return refuse_chain(call, phrase("an MDL at {:#x} behind one that ends at {:#x}", start_of(*mdl), next),
                                "a chain that is contiguous in virtual memory");
        found += mdl->ByteCount;
        next = start_of(*mdl) + mdl->ByteCount;
    }
    if (found < bytes) return refuse_chain(call, phrase("{} bytes", bytes), phrase("the {} of the chain", found));
    bool agree = true;
    std::uint64_t last_page = ~std::uint64_t{0}, last_frame = 0;
    for_each_page(chain, bytes, [&](std::uint64_t page, std::uint64_t frame) {
        agree = page != last_page || frame == last_frame;
        last_page = page;
        last_frame = frame;
        return agree;
    });
    if (agree) return STATUS_SUCCESS;
    return refuse_chain(call, phrase("two page numbers for the page at {:#x}", last_page << kPageShift),
                        "one page number for one page");
}

MdlRange::MdlRange(const MDL* chain, SIZE_T bytes) : chain_(chain), bytes_(bytes) {
    while (chain->ByteCount == 0) chain = chain->Next;
    address_ = start_of(*chain);
    page_count_ = static_cast<std::uint32_t>((first_byte() + bytes + kNdkPageBytes - 1) >> kPageShift);
    for_each_page(chain_, bytes_,
                  [this](std::uint64_t page, std::uint64_t frame) { return identity_ = page == frame; });
}

std::uint32_t MdlRange::first_byte() const { return static_cast<std::uint32_t>(address_ % kNdkPageBytes); }

std::vector<std::uint64_t> MdlRange::pages() const {
    std::vector<std::uint64_t> all(page_count_);
    const std::uint64_t first = address_ >> kPageShift;
    for_each_page(chain_, bytes_, [&](std::uint64_t page, std::uint64_t frame) {
        all[page - first] = frame << kPageShift;
        return true;
    });
    return all;
}

void MdlRange::write_pages(NDK_LOGICAL_ADDRESS pages[]) const {
    const std::uint64_t first = address_ >> kPageShift;
    for_each_page(chain_, bytes_, [&](std::uint64_t page, std::uint64_t frame) {
        pages[page - first].QuadPart = static_cast<LONGLONG>(frame << kPageShift);
        return true;
    });
}

NTSTATUS build_mapping(NdkAdapter& adapter, const MDL* chain, SIZE_T bytes, NDK_LOGICAL_ADDRESS_MAPPING* mapping,
                       ULONG* mapping_bytes, ULONG* first_byte) {
    constexpr NdkCall call{"adapter", "NdkBuildLAM"};
    if (mapping_bytes == nullptr) return refuse_null(call, "pLAMSize");
    if (first_byte == nullptr) return refuse_null(call, "pFBO");
    if (const NTSTATUS bad = MdlRange::check(call, chain, bytes); !NT_SUCCESS(bad)) return bad;
    const MdlRange range(chain, bytes);
    constexpr SIZE_T kFixed = offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray);
    const SIZE_T needed = kFixed + SIZE_T{range.page_count()} * sizeof(NDK_LOGICAL_ADDRESS);
    const ULONG room = std::exchange(*mapping_bytes, static_cast<ULONG>(needed));
    if (room < needed) return refuse_room(call, room, needed, "NDK-LAM-03");
    if (mapping == nullptr) return refuse_null(call, "pNdkLAM");
    const Result<PVOID> context = context_of(adapter, range);
    if (!context.ok()) return to_ntstatus(context.status());
    mapping->AdapterContext = context.value();
    mapping->AdapterPageCount = range.page_count();
    range.write_pages(mapping->AdapterPageArray);
    *first_byte = range.first_byte();
    return STATUS_SUCCESS;
}

void release_mapping(NDK_LOGICAL_ADDRESS_MAPPING* mapping) {
    if (PVOID const context = std::exchange(mapping->AdapterContext, nullptr)) return release_context(context);
    (void)report(Status::invalid_state, {.object = "adapter",
                                         .operation = "NdkReleaseLAM",
                                         .asked = "the end of a mapping that is not built",
                                         .limit = "once for each success of NdkBuildLAM",
                                         .remedy = "release each mapping once, unchanged",
                                         .requirement = "NDK-LAM-09"});
}

}  // namespace opennd
