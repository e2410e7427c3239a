// SPDX-License-Identifier: MIT
// The functions of opennd.h on completion ports.
#include "opennd.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "library/api/handle_use.h"

namespace opennd {
namespace {

HRESULT leave_packet(HANDLE port, std::string_view operation, const CompletionPacket& packet) {
    return with_object<CompletionPort>(port, operation, [&](CompletionPort& p) {
        p.post(packet);
        return ND_SUCCESS;
    });
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_port_create(HANDLE* port) {
    if (port == nullptr) return refuse_null(ND_INVALID_PARAMETER, {"port", "opennd_port_create"}, "port");
    return at_face([&] { return give_handle(CompletionPort::create(), port); });
}

HRESULT opennd_port_associate(HANDLE port, HANDLE overlapped_file, ULONG_PTR key) {
    return with_object<CompletionPort>(port, "opennd_port_associate", [&](CompletionPort& p) {
        return with_object<OverlappedFile>(
            overlapped_file, "opennd_port_associate", [&](OverlappedFile& file) -> HRESULT {
                const Status status = file.associate(Ref<CompletionPort>(&p), key);
                if (ok(status)) return ND_SUCCESS;
                return explain(to_hresult(status), {.object = "overlapped file",
                                                    .operation = "opennd_port_associate",
                                                    .asked = "a second port for one file",
                                                    .limit = "one association for each file, which lasts",
                                                    .remedy = "take all packets of the file from the port it has",
                                                    .requirement = "ND2-FILE-06"});
            });
    });
}

HRESULT opennd_port_wait(HANDLE port, opennd_packet packets[], ULONG capacity, DWORD timeout_ms, ULONG* count) {
    if (packets == nullptr || capacity == 0 || count == nullptr)
        return explain(ND_INVALID_PARAMETER,
                       {.object = "port",
                        .operation = "opennd_port_wait",
                        .asked = phrase("an array of {} packets{}{}", capacity, packets ? "" : ", packets NULL",
                                        count ? "" : ", count NULL"),
                        .limit = "an array of 1 packet or more, and a place for their number",
                        .remedy = "pass both pointers, and the length of the array",
                        .requirement = "ND2-OVL-10"});
    *count = 0;
    return with_object<CompletionPort>(port, "opennd_port_wait", [&](CompletionPort& p) {
        std::array<CompletionPacket, 64> batch;
        const std::size_t room = std::min<std::size_t>(capacity, batch.size());
        const Result<std::size_t> taken = p.wait({batch.data(), room}, deadline_after(timeout_ms));
        if (taken.status() == Status::canceled)
            return explain(ND_CANCELED, {.object = "port",
                                         .operation = "opennd_port_wait",
                                         .asked = "packets of a port that was closed meanwhile",
                                         .limit = "until opennd_handle_close",
                                         .remedy = "end the waiting threads before the port is closed",
                                         .requirement = "ND2-OVL-10"});
        if (!taken.ok()) return wait_result(taken.status());
        for (std::size_t i = 0; i < taken.value(); ++i)
            packets[i] = {batch[i].key, static_cast<OVERLAPPED*>(batch[i].overlapped), batch[i].status, batch[i].bytes};
        *count = static_cast<ULONG>(taken.value());
        return ND_SUCCESS;
    });
}

HRESULT opennd_port_post(HANDLE port, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped) {
    return leave_packet(port, "opennd_port_post", {key, overlapped, ND_SUCCESS, bytes});
}

HRESULT opennd_port_complete(HANDLE port, HRESULT status, DWORD bytes, ULONG_PTR key, OVERLAPPED* overlapped) {
    return leave_packet(port, "opennd_port_complete", {key, overlapped, static_cast<std::uint32_t>(status), bytes});
}

HRESULT opennd_port_descriptor(HANDLE port, int* descriptor) {
    if (descriptor == nullptr)
        return refuse_null(ND_INVALID_PARAMETER, {"port", "opennd_port_descriptor"}, "descriptor");
    return with_object<CompletionPort>(port, "opennd_port_descriptor",
                                       [&](CompletionPort& p) { return *descriptor = p.descriptor(), ND_SUCCESS; });
}
