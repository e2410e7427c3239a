// SPDX-License-Identifier: MIT
// See queue_pair.h. The six posting methods are the data path. They take no lock of this layer, and allocate nothing but
// for inline data of more entries than the limit (post_many).
#include "spi/nd2/queue/queue_pair.h"

#include <cstring>
#include <vector>

#include "spi/explanation.h"
#include "spi/nd2/call/argument.h"
#include "spi/nd2/memory/memory_region.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

// The flags that a request may carry; Read, Bind and Invalidate ignore flags that do not apply to them and refuse only
// undefined ones (ND2-QP-POST-09).
constexpr ULONG kDefinedFlags = 0x3F;
constexpr ULONG kSendFlags =
    ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT | ND_OP_FLAG_INLINE;
constexpr ULONG kWriteFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_INLINE;
constexpr ULONG kUnaddressedFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE;  // Read, Bind, Invalidate

// Three flags have the same bits on both sides and one is two places higher.
static_assert(ULONG(RequestFlags::silent_success) == ND_OP_FLAG_SILENT_SUCCESS);
static_assert(ULONG(RequestFlags::read_fence) == ND_OP_FLAG_READ_FENCE);
static_assert(ULONG(RequestFlags::solicit) == ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
static_assert(ULONG(RequestFlags::inline_data) == ND_OP_FLAG_INLINE >> 2);

// ND2-QP-BIND-02, -03: a Bind without either flag is allowed, and grants nothing.
constexpr Access window_access(ULONG flags) {
    const Access read = (flags & ND_OP_FLAG_ALLOW_READ) != 0 ? Access::remote_read : Access::none;
    const Access write = (flags & ND_OP_FLAG_ALLOW_WRITE) != 0 ? Access::remote_write : Access::none;
    return read | write;
}

constexpr RequestFlags to_flags(ULONG flags) {
    return static_cast<RequestFlags>((flags & 7) | ((flags & ND_OP_FLAG_INLINE) >> 2));
}

constexpr std::string_view kQueuePair = "queue pair";

}  // namespace

inline HRESULT Nd2QueuePair::post(WorkRequest& request, const ND2_SGE sges[], ULONG count) noexcept {
    if (count > Nd2SgeList::kMaxEntries) [[unlikely]]
        return post_many(request, sges, count);
    const Nd2SgeList list(sges, count);
    request.sges = list.entries(count);
    const Status status = core_->try_post(request);
    if (ok(status)) [[likely]]
        return ND_SUCCESS;
    return to_hresult(core_->refuse(request, status));
}

// Only an inline request may have more entries than the limit (ND2-QP-SEND-04): its bytes are joined here, and copied
// once more. Nothing behind the entry that exceeds the inline length is read.
[[gnu::cold]] HRESULT Nd2QueuePair::post_many(WorkRequest& request, const ND2_SGE sges[], ULONG count) noexcept {
    if (!has(request.flags, RequestFlags::inline_data)) return to_hresult(core_->refuse_sges(request.operation, count));
    return at_face([&] {
        const std::uint32_t most = core_->limits().inline_bytes;
        std::vector<std::byte> joined;
        joined.reserve(most);
        std::uint64_t bytes = 0;
        for (ULONG i = 0; i < count && bytes <= most; ++i) {
            const Sge sge = to_sge(sges[i]);
            bytes += sge.length;
            if (bytes <= most) joined.insert(joined.end(), sge.buffer, sge.buffer + sge.length);
        }
        if (bytes > most) return to_hresult(core_->refuse_length(request, bytes));
        const Sge whole{joined.data(), static_cast<std::uint32_t>(bytes), Token::none};
        request.sges = {&whole, 1};
        return to_hresult(core_->post(request));
    });
}

HRESULT Nd2QueuePair::Send(VOID* context, const ND2_SGE sges[], ULONG count, ULONG flags) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "Send"}, "sge");
    if ((flags & ~kSendFlags) != 0) [[unlikely]]
        return refuse_flags(ND_INVALID_PARAMETER_4, {kQueuePair, "Send"}, flags, kSendFlags, "ND2-QP-POST-09");
    WorkRequest request{Operation::send, to_flags(flags), context, {}};
    return post(request, sges, count);
}

HRESULT Nd2QueuePair::Receive(VOID* context, const ND2_SGE sges[], ULONG count) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "Receive"}, "sge");
    WorkRequest request{Operation::receive, RequestFlags::none, context, {}};
    return post(request, sges, count);
}

HRESULT Nd2QueuePair::Read(VOID* context, const ND2_SGE sges[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                           ULONG flags) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "Read"}, "sge");
    if ((flags & ~kDefinedFlags) != 0) [[unlikely]]
        return refuse_flags(ND_INVALID_PARAMETER_6, {kQueuePair, "Read"}, flags, kDefinedFlags, "ND2-QP-POST-09");
    WorkRequest request{Operation::read, to_flags(flags & kUnaddressedFlags), context, {},
                        remote_address,  static_cast<Token>(remote_token)};
    return post(request, sges, count);
}

HRESULT Nd2QueuePair::Write(VOID* context, const ND2_SGE sges[], ULONG count, UINT64 remote_address,
                            UINT32 remote_token, ULONG flags) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "Write"}, "sge");
    if ((flags & ~kWriteFlags) != 0) [[unlikely]]
        return refuse_flags(ND_INVALID_PARAMETER_6, {kQueuePair, "Write"}, flags, kWriteFlags, "ND2-QP-POST-09");
    WorkRequest request{
        Operation::write, to_flags(flags), context, {}, remote_address, static_cast<Token>(remote_token)};
    return post(request, sges, count);
}

HRESULT Nd2QueuePair::SendWithImmediate(VOID* context, const ND2_SGE sges[], ULONG count, ULONG flags,
                                        UINT32 immediate) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "SendWithImmediate"}, "sge");
    if ((flags & ~kSendFlags) != 0) [[unlikely]]
        return refuse_flags(ND_INVALID_PARAMETER_4, {kQueuePair, "SendWithImmediate"}, flags, kSendFlags,
                            "ND2-QP-POST-09");
    WorkRequest request{Operation::send_with_immediate,    to_flags(flags), context, {}, 0, Token::none,
                        RequestExtra::immediate(immediate)};
    return post(request, sges, count);
}

// The peer's receive may have to be solicited: the flags are those of Send (ND2-IMM-WRITE-04).
HRESULT Nd2QueuePair::WriteWithImmediate(VOID* context, const ND2_SGE sges[], ULONG count, UINT64 remote_address,
                                         UINT32 remote_token, ULONG flags, UINT32 immediate) noexcept {
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(ND_INVALID_PARAMETER_2, {kQueuePair, "WriteWithImmediate"}, "sge");
    if ((flags & ~kSendFlags) != 0) [[unlikely]]
        return refuse_flags(ND_INVALID_PARAMETER_6, {kQueuePair, "WriteWithImmediate"}, flags, kSendFlags,
                            "ND2-QP-POST-09");
    WorkRequest request{Operation::write_with_immediate,
                        to_flags(flags),
                        context,
                        {},
                        remote_address,
                        static_cast<Token>(remote_token),
                        RequestExtra::immediate(immediate)};
    return post(request, sges, count);
}

HRESULT Nd2QueuePair::QueryInterface(REFIID iid, LPVOID* object) noexcept {
    const HRESULT bad = check_immediate<IND2ImmediateQueuePair>({kQueuePair, "QueryInterface"}, iid, core_->adapter());
    if (SUCCEEDED(bad)) return ComObject::QueryInterface(iid, object);
    if (object != nullptr) *object = nullptr;
    return bad;
}

HRESULT Nd2QueuePair::Flush() noexcept {
    return at_face([this] { return core_->flush(), ND_SUCCESS; });
}

HRESULT Nd2QueuePair::Bind(VOID* context, IUnknown* memory_region, IUnknown* memory_window, const VOID* buffer,
                           SIZE_T bytes, ULONG flags) noexcept {
    constexpr Site site{kQueuePair, "Bind"};
    return at_face([&]() -> HRESULT {
        const Ref<MemoryRegion> region = core_of<Nd2MemoryRegion>(memory_region, core_->adapter());
        if (!region) return refuse_object(ND_INVALID_PARAMETER_2, site, "pMemoryRegion", "memory region");
        const Ref<MemoryWindow> window = core_of<Nd2MemoryWindow>(memory_window, core_->adapter());
        if (!window) return refuse_object(ND_INVALID_PARAMETER_3, site, "pMemoryWindow", "memory window");
        if ((flags & ~kDefinedFlags) != 0)
            return refuse_flags(ND_INVALID_PARAMETER_6, site, flags, kDefinedFlags, "ND2-QP-BIND-01");
        auto* const address = const_cast<std::byte*>(static_cast<const std::byte*>(buffer));
        return to_hresult(core_->bind(*region, *window, address, bytes, window_access(flags),
                                      to_flags(flags & kUnaddressedFlags), context));
    });
}

HRESULT Nd2QueuePair::Invalidate(VOID* context, IUnknown* memory_window, ULONG flags) noexcept {
    constexpr Site site{kQueuePair, "Invalidate"};
    return at_face([&]() -> HRESULT {
        const Ref<MemoryWindow> window = core_of<Nd2MemoryWindow>(memory_window, core_->adapter());
        if (!window) return refuse_object(ND_INVALID_PARAMETER_2, site, "pMemoryWindow", "memory window");
        if ((flags & ~kDefinedFlags) != 0)
            return refuse_flags(ND_INVALID_PARAMETER_3, site, flags, kDefinedFlags, "ND2-QP-INV-01");
        return to_hresult(core_->invalidate(*window, to_flags(flags & kUnaddressedFlags), context));
    });
}

}  // namespace opennd
