// SPDX-License-Identifier: MIT
// INDEndpoint: version 1's queue pair. Read core/queue/queue_pair.h for the rules that both versions have; those that only
// version 1 has are checked here, in the order of ND1-GEN-10.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/explanation.h"
#include "base/ref.h"
#include "core/queue/queue_pair.h"
#include "spi/com_object.h"
#include "spi/nd1/memory/registrations.h"

namespace opennd {

class Nd1Endpoint final : public ComObject<Nd1Endpoint, INDEndpoint, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x01}};
    using Core = QueuePair;

    // The program's numbers, within the adapter's limits. (Core's own are sometimes larger.)
    struct Limits {
        std::uint32_t inbound_sges;
        std::uint32_t outbound_sges;
        ReadLimits reads;
    };
    Nd1Endpoint(Ref<QueuePair> core, const Limits& limits, Ref<Registrations> registrations);

    const Ref<QueuePair>& core() const { return core_; }
    const ReadLimits& wanted_reads() const { return limits_.reads; }

    HRESULT STDMETHODCALLTYPE Flush() noexcept override;
    // Requests are issued at once, which is allowed (ND1-EP-BATCH-02); nothing is ever held back.
    void STDMETHODCALLTYPE StartRequestBatch() noexcept override {}
    void STDMETHODCALLTYPE SubmitRequestBatch() noexcept override {}
    HRESULT STDMETHODCALLTYPE Send(ND_RESULT* result, const ND_SGE* sges, SIZE_T count, DWORD flags) noexcept override;
    HRESULT STDMETHODCALLTYPE SendAndInvalidate(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                                const ND_MW_DESCRIPTOR* descriptor, DWORD flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Receive(ND_RESULT* result, const ND_SGE* sges, SIZE_T count) noexcept override;
    HRESULT STDMETHODCALLTYPE Bind(ND_RESULT* result, ND_MR_HANDLE registration, INDMemoryWindow* window,
                                   const VOID* buffer, SIZE_T bytes, DWORD flags,
                                   ND_MW_DESCRIPTOR* descriptor) noexcept override;
    HRESULT STDMETHODCALLTYPE Invalidate(ND_RESULT* result, INDMemoryWindow* window, DWORD flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Read(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                   const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset, DWORD flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Write(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                    const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset,
                                    DWORD flags) noexcept override;

    // For Nd1Connector. The effective limit of outbound Reads (ND1-CN-RL-04); before the endpoint can be used.
    void set_outbound_reads(std::uint32_t limit) { outbound_reads_.store(limit, std::memory_order_relaxed); }
    // Connected: outbound requests are accepted from now on. No effect on one that was shut.
    void open();
    // The connection is over for good, and with it the endpoint.
    void shut() { phase_.store(Phase::closed, std::memory_order_release); }

private:
    // Whether outbound requests are accepted; the open ones come first, so that one comparison tells.
    enum class Phase : std::uint8_t { open, open_but_for_reads, unconnected, closed };

    // What a list of one entry may have; none at all where the endpoint takes no entry.
    struct OneEntry {
        std::uint64_t bytes_below;   // of registered memory: fewer than this
        std::uint64_t inline_bytes;  // without a handle: from 1 to this
    };
    static OneEntry of_one_entry(std::uint32_t sges, std::uint64_t bytes, std::uint64_t inline_bytes);

    void close() override {
        shut();
        core_->close();
    }
    // Whether an endpoint that is known to be open takes `operation`: a Read needs a limit of Reads above 0.
    bool is_open_for(Operation operation) const {
        const Phase phase = phase_.load(std::memory_order_acquire);
        return operation == Operation::read ? phase == Phase::open : phase <= Phase::open_but_for_reads;
    }
    bool is_open() const { return is_open_for(Operation::send); }
    // The same, and opens it if a message of the peer has come.
    bool opens() { return is_open() || opened_by_message(); }
    bool opened_by_message();
    [[gnu::cold]] std::string_view imposer_of_sges(bool of_receives, std::uint32_t most) const;
    [[gnu::cold]] HRESULT refuse_unconnected(std::string_view operation, CheckRule misuse = {}) const;
    [[gnu::cold]] HRESULT refuse_by_core(Operation operation, Status status) const;
    [[gnu::cold]] HRESULT refuse_entries(Operation operation, SIZE_T count, std::uint32_t most) const;
    [[gnu::cold]] HRESULT refuse_bytes(Operation operation, std::uint64_t bytes) const;
    [[gnu::cold]] HRESULT refuse_inline_bytes(Operation operation, std::uint64_t bytes) const;
    template <Operation operation>
    [[gnu::always_inline]] HRESULT transfer(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                            const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset, DWORD flags) noexcept;
    template <Operation operation>
    [[gnu::cold, gnu::noinline]] HRESULT rare_transfer(ND_RESULT* result, const ND_SGE* sges, SIZE_T count,
                                                       const ND_MW_DESCRIPTOR* descriptor, ULONGLONG offset,
                                                       DWORD flags) noexcept;
    template <Operation operation>
    [[gnu::always_inline]] HRESULT post(ND_RESULT* result, RequestFlags flags, const ND_SGE* sges, SIZE_T count,
                                        const ND_MW_DESCRIPTOR& descriptor = {}, std::uint64_t offset = 0) noexcept;
    template <Operation operation>
    [[gnu::noinline]] HRESULT post_list(ND_RESULT* result, RequestFlags flags, const ND_SGE* sges, SIZE_T count,
                                        const ND_MW_DESCRIPTOR& descriptor, std::uint64_t offset) noexcept;
    template <Operation operation>
    [[gnu::always_inline]] HRESULT submit(ND_RESULT* result, RequestFlags flags, std::span<const Sge> sges,
                                          std::uint64_t bytes, const ND_MW_DESCRIPTOR& descriptor,
                                          std::uint64_t offset) noexcept;

    // Constant after construction.
    const Ref<QueuePair> core_;
    const Limits limits_;
    const std::uint64_t max_transfer_bytes_;
    const OneEntry inbound_one_, outbound_one_;
    const Ref<Registrations> registrations_;

    std::atomic<Phase> phase_{Phase::unconnected};
    // Relaxed: written before the handshake goes on, whose locks come between that and open(), the only reader.
    std::atomic<std::uint32_t> outbound_reads_{0};
};

}  // namespace opennd
