// SPDX-License-Identifier: MIT
// Memory descriptor lists: a header and one page number for each page.
#include "kernel/mdl.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kernel/macros.h"
#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"

using namespace opennd::wdm;

namespace {

constexpr const char* kKind = "MDL";

ULONG page_count(const MDL& mdl) { return ADDRESS_AND_SIZE_TO_SPAN_PAGES(mdl.ByteOffset, mdl.ByteCount); }

// Pages that the MDL has room for, though it may describe fewer by now. An MDL too large for its own Size has room for
// any number.
ULONG room_for_pages(const MDL& mdl) {
    if (mdl.Size == SHRT_MAX) return MAXULONG;
    return static_cast<ULONG>((static_cast<SIZE_T>(mdl.Size) - sizeof(MDL)) / sizeof(PFN_NUMBER));
}

void fill_in_pages(MDL& mdl) {
    PFN_NUMBER const first = reinterpret_cast<PFN_NUMBER>(mdl.StartVa) >> PAGE_SHIFT;
    PPFN_NUMBER const pages = MmGetMdlPfnArray(&mdl);
    for (ULONG i = 0; i < page_count(mdl); ++i) pages[i] = first + i;
}

void describe(MDL& mdl, void* address, ULONG bytes) {
    mdl.StartVa = PAGE_ALIGN(address);
    mdl.ByteOffset = BYTE_OFFSET(address);
    mdl.ByteCount = bytes;
}

void add_to(IRP& irp, MDL& mdl, bool secondary) {
    PMDL* end = &irp.MdlAddress;
    if (secondary)
        while (*end != nullptr) end = &(*end)->Next;
    *end = &mdl;
}

std::string extent_of(const MDL& mdl) {
    return std::to_string(mdl.ByteCount) + " bytes at " +
           std::to_string(reinterpret_cast<ULONG_PTR>(MmGetMdlVirtualAddress(&mdl)));
}

}  // namespace

PMDL IoAllocateMdl(PVOID VirtualAddress, ULONG Length, BOOLEAN SecondaryBuffer, BOOLEAN, PIRP Irp) {
    (void)expect_irql_at_most(DISPATCH_LEVEL, "IoAllocateMdl", {kKind, nullptr});
    const SIZE_T bytes =
        sizeof(MDL) + SIZE_T{ADDRESS_AND_SIZE_TO_SPAN_PAGES(VirtualAddress, Length)} * sizeof(PFN_NUMBER);
    auto* const mdl = static_cast<PMDL>(std::calloc(1, bytes));
    if (mdl == nullptr) return nullptr;
    // Size has 16 bits; the page numbers are as many as Length says.
    mdl->Size = static_cast<SHORT>(std::min<SIZE_T>(bytes, SHRT_MAX));
    mdl->MdlFlags = 0;
    describe(*mdl, VirtualAddress, Length);
    if (Irp != nullptr) add_to(*Irp, *mdl, SecondaryBuffer != FALSE);
    LiveObjects::instance().add(
        mdl,
        {.kind = kKind, .detail = "of " + std::to_string(Length) + " bytes", .made_at = __builtin_return_address(0)});
    return mdl;
}

VOID IoFreeMdl(PMDL Mdl) {
    const bool goes = LiveObjects::instance().remove(Mdl, kKind, [&](const LiveObject& object) {
        if (object.holders != 0) {
            report(OPENND_WDM_RULE_IN_USE, {kKind, Mdl},
                   object.detail + ", is freed while an adapter has it registered; deregister the region first");
            return false;
        }
        if ((Mdl->MdlFlags & MDL_PAGES_LOCKED) != 0)
            report(OPENND_WDM_RULE_IN_USE, {kKind, Mdl},
                   object.detail + ", is freed while its pages are locked; MmUnlockPages comes first");
        return true;
    });
    if (goes) std::free(Mdl);
}

VOID MmBuildMdlForNonPagedPool(PMDL MemoryDescriptorList) {
    fill_in_pages(*MemoryDescriptorList);
    MemoryDescriptorList->MappedSystemVa = MmGetMdlVirtualAddress(MemoryDescriptorList);
    MemoryDescriptorList->MdlFlags |= MDL_SOURCE_IS_NONPAGED_POOL;
}

VOID MmProbeAndLockPages(PMDL MemoryDescriptorList, KPROCESSOR_MODE, LOCK_OPERATION) {
    if ((MemoryDescriptorList->MdlFlags & (MDL_PAGES_LOCKED | MDL_SOURCE_IS_NONPAGED_POOL)) != 0)
        report(OPENND_WDM_RULE_IN_USE, {kKind, MemoryDescriptorList},
               "MmProbeAndLockPages of pages that are locked, or never need to be");
    (void)expect_irql_at_most(DISPATCH_LEVEL, "MmProbeAndLockPages", {kKind, MemoryDescriptorList});
    fill_in_pages(*MemoryDescriptorList);
    MemoryDescriptorList->MdlFlags |= MDL_PAGES_LOCKED;
}

VOID MmUnlockPages(PMDL MemoryDescriptorList) {
    if ((MemoryDescriptorList->MdlFlags & MDL_PAGES_LOCKED) == 0) {
        report(OPENND_WDM_RULE_IN_USE, {kKind, MemoryDescriptorList}, "MmUnlockPages of pages that are not locked");
        return;
    }
    if (LiveObjects::instance().is_held(MemoryDescriptorList))
        report(OPENND_WDM_RULE_IN_USE, {kKind, MemoryDescriptorList},
               "MmUnlockPages while an adapter has it registered; deregister the region first");
    MemoryDescriptorList->MdlFlags &= ~MDL_PAGES_LOCKED;
}

VOID IoBuildPartialMdl(PMDL SourceMdl, PMDL TargetMdl, PVOID VirtualAddress, ULONG Length) {
    auto* const source = static_cast<UCHAR*>(MmGetMdlVirtualAddress(SourceMdl));
    auto* const start = static_cast<UCHAR*>(VirtualAddress);
    const ULONG_PTR offset = reinterpret_cast<ULONG_PTR>(start) - reinterpret_cast<ULONG_PTR>(source);
    if (offset > SourceMdl->ByteCount || Length > SourceMdl->ByteCount - offset) {
        report(OPENND_WDM_RULE_IN_USE, {kKind, TargetMdl},
               "IoBuildPartialMdl asks for bytes outside the source, which has " + extent_of(*SourceMdl));
        return;
    }
    const ULONG bytes = Length != 0 ? Length : static_cast<ULONG>(SourceMdl->ByteCount - offset);
    const ULONG pages = ADDRESS_AND_SIZE_TO_SPAN_PAGES(VirtualAddress, bytes);
    if (pages > room_for_pages(*TargetMdl)) {
        report(OPENND_WDM_RULE_IN_USE, {kKind, TargetMdl},
               "IoBuildPartialMdl needs room for " + std::to_string(pages) + " pages, and it has " +
                   std::to_string(room_for_pages(*TargetMdl)));
        return;
    }
    const auto first = (static_cast<UCHAR*>(PAGE_ALIGN(start)) - static_cast<UCHAR*>(SourceMdl->StartVa)) / PAGE_SIZE;
    std::copy_n(MmGetMdlPfnArray(SourceMdl) + first, pages, MmGetMdlPfnArray(TargetMdl));
    describe(*TargetMdl, VirtualAddress, bytes);
    TargetMdl->MappedSystemVa =
        static_cast<UCHAR*>(MmGetSystemAddressForMdlSafe(SourceMdl, NormalPagePriority)) + offset;
    TargetMdl->MdlFlags |=
        MDL_PARTIAL | (SourceMdl->MdlFlags & (MDL_SOURCE_IS_NONPAGED_POOL | MDL_MAPPED_TO_SYSTEM_VA));
}
