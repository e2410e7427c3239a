// SPDX-License-Identifier: MIT
// See explanation.h.
#include "spi/explanation.h"

#include <iterator>

#include "base/status_names.h"
#include "spi/interface_ids.h"

namespace opennd {
namespace {

struct InterfaceName {
    const GUID& iid;
    std::string_view name;
};

// Interfaces that are passed to the wrong method, or to a version without them.
const InterfaceName kInterfaces[] = {
    {IID_IUnknown, "IID_IUnknown"},
    {IID_IClassFactory, "IID_IClassFactory"},
    {IID_IND2Provider, "IID_IND2Provider"},
    {IID_IND2Adapter, "IID_IND2Adapter"},
    {IID_IND2CompletionQueue, "IID_IND2CompletionQueue"},
    {IID_IND2ImmediateCompletionQueue, "IID_IND2ImmediateCompletionQueue"},
    {IID_IND2ImmediateQueuePair, "IID_IND2ImmediateQueuePair"},
    {IID_IND2MemoryRegion, "IID_IND2MemoryRegion"},
    {IID_IND2MemoryWindow, "IID_IND2MemoryWindow"},
    {IID_IND2SharedReceiveQueue, "IID_IND2SharedReceiveQueue"},
    {IID_IND2QueuePair, "IID_IND2QueuePair"},
    {IID_IND2Connector, "IID_IND2Connector"},
    {IID_IND2Listener, "IID_IND2Listener"},
    {IID_IND2Overlapped, "IID_IND2Overlapped"},
    {IID_INDProvider, "IID_INDProvider"},
    {IID_INDAdapter, "IID_INDAdapter"},
};

Phrase interface_text(REFIID iid) {
    for (const InterfaceName& known : kInterfaces)
        if (iid == known.iid) return phrase("{}", known.name);
    return phrase("interface {{{:08X}-{:04X}-{:04X}-...}}", iid.Data1, iid.Data2, iid.Data3);
}

}  // namespace

HRESULT explain(HRESULT status, const Explanation& explanation) noexcept {
    explain(FaceStatus{status, status_name(status)}, explanation);
    return status;
}

HRESULT refuse_null(HRESULT status, const Site& site, std::string_view argument) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} is NULL", argument),
                            .limit = "a pointer that is not NULL",
                            .remedy = phrase("pass a valid address for {}", argument),
                            .requirement = "ND2-GEN-04"});
}

HRESULT refuse_null_data(const Site& site, SIZE_T bytes, std::string_view requirement) noexcept {
    return explain(ND_ACCESS_VIOLATION, {.object = site.object,
                                         .operation = site.operation,
                                         .asked = phrase("{} bytes of private data at NULL", bytes),
                                         .limit = "NULL goes with 0 bytes",
                                         .remedy = "pass the data, or a length of 0",
                                         .requirement = requirement});
}

HRESULT refuse_interface(const Site& site, REFIID iid) noexcept {
    return explain(E_NOINTERFACE, {.object = site.object,
                                   .operation = site.operation,
                                   .asked = interface_text(iid),
                                   .limit = "the interface that the method makes, and its bases",
                                   .remedy = "pass the IID that belongs to the method",
                                   .requirement = "ND2-COM-03"});
}

HRESULT refuse_object(HRESULT status, const Site& site, std::string_view argument, std::string_view kind) noexcept {
    return explain(status,
                   {.object = site.object,
                    .operation = site.operation,
                    .asked = phrase("{} is NULL, of another kind, or made by another adapter instance", argument),
                    .limit = phrase("a {} of the same IND2Adapter", kind),
                    .remedy = phrase("pass a {} that this adapter instance has created", kind),
                    .requirement = "ND2-GEN-06"});
}

HRESULT refuse_handle(const Site& site, HANDLE handle, std::string_view kind, std::string_view requirement) noexcept {
    return explain(ND_INVALID_HANDLE, {.object = site.object,
                                       .operation = site.operation,
                                       .asked = phrase("handle {}", handle),
                                       .limit = phrase("an open {}", kind),
                                       .remedy = phrase("pass the handle of the {}, before it is closed", kind),
                                       .requirement = requirement});
}

HRESULT refuse_flags(HRESULT status, const Site& site, ULONG flags, ULONG defined,
                     std::string_view requirement) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("flags {:#x}", flags),
                            .limit = phrase("flags within {:#x}", defined),
                            .remedy = phrase("leave out {:#x}", flags & ~defined),
                            .requirement = requirement});
}

HRESULT refuse_room(const Site& site, SIZE_T given_bytes, SIZE_T needed_bytes, std::string_view requirement) noexcept {
    const Phrase asked = phrase("room for {} bytes", given_bytes);
    const Phrase limit = phrase("{} bytes are needed", needed_bytes);
    const Explanation explanation{.object = site.object,
                                  .operation = site.operation,
                                  .asked = asked,
                                  .limit = limit,
                                  .remedy = "call again with a buffer of the size that was given back",
                                  .requirement = requirement};
    if (given_bytes != 0) return explain(ND_BUFFER_OVERFLOW, explanation);
    remember(FaceStatus{ND_BUFFER_OVERFLOW, status_name(ND_BUFFER_OVERFLOW)}, explanation);
    return ND_BUFFER_OVERFLOW;
}

HRESULT refuse_address(const Site& site, const sockaddr* address, SIZE_T bytes) noexcept {
    const bool has_family = address != nullptr && bytes >= sizeof address->sa_family;
    return explain(
        ND_INVALID_ADDRESS,
        {.object = site.object,
         .operation = site.operation,
         .asked = has_family ? phrase("an address of family {}, {} bytes", address->sa_family, bytes)
                             : phrase("{}, {} bytes", address ? "an address without a family" : "no address", bytes),
         .limit = "AF_INET of 16 bytes or AF_INET6 of 28",
         .remedy = "pass a sockaddr_in or sockaddr_in6 and its whole size",
         .requirement = "ND2-CON-ADDR-01"});
}

}  // namespace opennd
