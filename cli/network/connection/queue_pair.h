// SPDX-License-Identifier: MIT
//
// QueuePair: an IND2QueuePair, an INDEndpoint or an NDK_QP, and the posts that this command makes. Everything is inline, and
// which of them it is does not change: timed loops may use it.
#pragma once

#include "network/api/com_ptr.h"
#include "network/memory/piece.h"
#include "network/memory/remote_memory.h"
#include "network/ndk/owned.h"

#include <opennd_immediate.h>

#include <bit>
#include <cstdint>
#include <memory>

namespace nd {

// A request of version 1. Version 2's further results lie behind the ND_RESULT, whose address comes back.
struct alignas(64) Nd1Request {
    ND_RESULT result;
    void* queue_pair_context;
    void* context;
    ND2_REQUEST_TYPE type;

    static ND2_RESULT in_words_of_version_2(const ND_RESULT* result) {
        const auto& request = *reinterpret_cast<const Nd1Request*>(result);
        return {result->Status, static_cast<ULONG>(result->BytesTransferred), request.queue_pair_context,
                request.context, request.type};
    }
};

// Those of one queue, in a ring: results come in the order of the posts, so the oldest is free when another fits the queue.
class Nd1Requests {
public:
    void make(std::uint32_t depth, void* queue_pair_context) {
        const std::uint32_t count = std::bit_ceil(depth);
        ring_ = std::make_unique<Nd1Request[]>(count);
        last_ = count - 1;
        for (std::uint32_t i = 0; i < count; i++) ring_[i].queue_pair_context = queue_pair_context;
    }

    ND_RESULT* next(void* context, ND2_REQUEST_TYPE type) {
        Nd1Request& request = ring_[next_++ & last_];
        request.context = context;
        request.type = type;
        return &request.result;
    }

private:
    std::unique_ptr<Nd1Request[]> ring_;
    std::uint32_t last_ = 0, next_ = 0;
};

class QueuePair {
public:
    QueuePair() = default;  // none
    explicit QueuePair(ComPtr<IND2QueuePair> object) : nd2_(std::move(object)) {}
    explicit QueuePair(Owned<NDK_QP> object) : ndk_(std::move(object)) {}
    // The depths are those it was made with.
    QueuePair(ComPtr<INDEndpoint> object, std::uint32_t receive_depth, std::uint32_t initiator_depth, void* context)
        : nd1_(std::move(object)) {
        received_.make(receive_depth, context);
        initiated_.make(initiator_depth, context);
    }

    INDEndpoint* nd1() const { return nd1_.get(); }
    IND2QueuePair* nd2() const { return nd2_.get(); }
    NDK_QP* ndk() const { return ndk_.get(); }

    // A piece of no bytes is a message of none.
    HRESULT send(void* context, const Piece& from, ULONG flags) {
        if (ndk_) return ndk_->Dispatch->NdkSend(ndk_.get(), context, &from.ndk, 1, flags | from.ndk_flags);
        if (nd1_) return nd1_->Send(initiated_.next(context, Nd2RequestTypeSend), &from.nd1, 1, flags);
        return nd2_->Send(context, &from.nd2, 1, flags | from.nd2_flags);
    }

    HRESULT receive(const Piece& to) {
        if (ndk_) return ndk_->Dispatch->NdkReceive(ndk_.get(), nullptr, &to.ndk, 1);
        if (nd1_) return nd1_->Receive(received_.next(nullptr, Nd2RequestTypeReceive), &to.nd1, 1);
        return nd2_->Receive(nullptr, &to.nd2, 1);
    }

    HRESULT read(void* context, const Piece& to, const RemoteTarget& from, std::size_t offset, ULONG flags) {
        if (ndk_)
            return ndk_->Dispatch->NdkRead(ndk_.get(), context, &to.ndk, 1, from.address + offset, from.ndk_token,
                                           flags);
        if (nd1_)
            return nd1_->Read(initiated_.next(context, Nd2RequestTypeRead), &to.nd1, 1, &from.descriptor, offset,
                              flags);
        return nd2_->Read(context, &to.nd2, 1, from.address + offset, from.token, flags);
    }

    HRESULT write(void* context, const Piece& from, const RemoteTarget& to, std::size_t offset, ULONG flags) {
        if (ndk_)
            return ndk_->Dispatch->NdkWrite(ndk_.get(), context, &from.ndk, 1, to.address + offset, to.ndk_token,
                                            flags | from.ndk_flags);
        if (nd1_)
            return nd1_->Write(initiated_.next(context, Nd2RequestTypeWrite), &from.nd1, 1, &to.descriptor, offset,
                               flags);
        return nd2_->Write(context, &from.nd2, 1, to.address + offset, to.token, flags | from.nd2_flags);
    }

    // Gets the queue pair ready for write_with_immediate(). E_NOINTERFACE: it has no immediate data, or is of another interface.
    HRESULT ask_for_immediate() {
        return nd2_ ? nd2_->QueryInterface(IID_IND2ImmediateQueuePair, reinterpret_cast<void**>(immediate_.put()))
                    : E_NOINTERFACE;
    }
    HRESULT write_with_immediate(void* context, const Piece& from, const RemoteTarget& to, ULONG flags, UINT32 data) {
        return immediate_->WriteWithImmediate(context, &from.nd2, 1, to.address, to.token, flags | from.nd2_flags,
                                              data);
    }

    // Version 1. There is no result unless it fails; a Send behind it may carry the descriptor (ND1-EP-BIND-09).
    HRESULT bind(INDMemoryWindow* window, const Piece& memory, ND_MW_DESCRIPTOR* descriptor) {
        return nd1_->Bind(initiated_.next(nullptr, Nd2RequestTypeBind), memory.nd1.hMr, window, memory.nd1.pAddr,
                          memory.nd1.Length, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_SILENT_SUCCESS,
                          descriptor);
    }

    // Cold: the name of one of its methods, for texts of errors.
    std::string method(const char* name) const {
        return (ndk_ ? "Ndk" : nd1_ ? "INDEndpoint::" : "IND2QueuePair::") + std::string(name);
    }

private:
    ComPtr<INDEndpoint> nd1_;
    ComPtr<IND2QueuePair> nd2_;
    ComPtr<IND2ImmediateQueuePair> immediate_;
    Owned<NDK_QP> ndk_;
    Nd1Requests initiated_, received_;
};

}  // namespace nd
