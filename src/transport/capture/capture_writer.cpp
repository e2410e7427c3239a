// SPDX-License-Identifier: MIT
// Capture: its thread, which makes packets of frames and writes them. See capture.h.
#include <algorithm>
#include <new>

#include "base/format.h"
#include "base/log.h"
#include "base/status_names.h"
#include "platform/host/host.h"
#include "transport/capture/capture.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {
namespace {

// The octets of blocks that are written in one call.
constexpr std::size_t kMostBlockBytes = 1 << 20;
// The most octets of a packet beside its payload: its headers, and the options of its block.
constexpr std::size_t kMostBesidePayload = 4096;

}  // namespace

void* Capture::write_all(void* self) {
    auto* const capture = static_cast<Capture*>(self);
    capture->write_until_end();
    capture->drop_ref();
    return nullptr;
}

void Capture::write_until_end() {
    std::vector<Frame> frames;
    for (;;) {
        {
            const Held lock(mutex_);
            while (queue_.empty() && !ending_) news_.wait(mutex_);
            if (queue_.empty()) break;
            frames.swap(queue_);
        }
        write(frames);
        std::size_t written = 0;
        for (const Frame& frame : frames) written += frame.cost();
        frames.clear();
        const Held lock(mutex_);
        held_bytes_ -= written;
    }
    Status status = Status::no_memory;
    try {
        status = finish_file(wall_time());
    } catch (const std::bad_alloc&) {
        status = Status::no_memory;
    }
    if (!ok(status)) fail(status, files_.path());
    files_.close();  // here, where it may wait
    const Held lock(mutex_);
    finished_ = true;
    finished_news_.notify_all();
}

// Writes frames. Nothing is written any more after a failure, and no frame comes.
void Capture::write(std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
        Status status = Status::success;
        try {
            status = write_frame(frame);
        } catch (const std::bad_alloc&) {
            status = Status::no_memory;
        }
        if (ok(status)) continue;
        fail(status, files_.path());
        const Held lock(mutex_);
        for (const Frame* lost = &frame; lost != frames.data() + frames.size(); ++lost)
            if (lost->kind != Frame::Kind::begins) ++wires_[lost->flow->interface].dropped;
        return;
    }
    if (const Status status = flush_blocks(); !ok(status)) fail(status, files_.path());
}

Status Capture::write_frame(const Frame& frame) {
    if (files_.is_full(blocks_.size() + frame.payload.size() + kMostBesidePayload)) {
        if (const Status status = finish_file(frame.at); !ok(status)) return status;
        if (const Status status = begin_file(frame.at); !ok(status)) return status;
    }
    describe_wires(frame.flow->interface);
    if (frame.flow->in_file != files_.number()) {
        const std::size_t packets = packets_.append_beginning(blocks_, frame);
        frame.flow->in_file = files_.number();
        const Held lock(mutex_);
        wires_[frame.flow->interface].seen += packets;
    }
    if (frame.kind != Frame::Kind::begins) packets_.append(blocks_, frame);
    return blocks_.size() < kMostBlockBytes ? Status::success : flush_blocks();
}

// Describes the wires up to this one in the newest file.
void Capture::describe_wires(std::size_t interface) {
    for (; described_ <= interface; ++described_) {
        std::string_view wire;
        {
            const Held lock(mutex_);
            wire = wires_[described_].wire;
        }
        append(blocks_, InterfaceDescription{wire, "OpenND, as iWARP", options_.snap_bytes});
    }
}

Status Capture::flush_blocks() {
    if (blocks_.empty()) return Status::success;
    const Status status = files_.append(blocks_);
    blocks_.clear();
    return status;
}

Status Capture::begin_file(WallTime at) {
    if (const Status status = files_.open_next(at); !ok(status)) return status;
    described_ = 0;
    append(blocks_, Section{system_name(), author_.application,
                            format("process {} ({}); made by OpenND without a network: addresses are those of the "
                                   "programs",
                                   author_.process, author_.program)});
    const Held lock(mutex_);
    path_ = files_.path();
    return Status::success;
}

// Ends a file with the counts of the whole capture so far, as dumpcap has them.
Status Capture::finish_file(WallTime at) {
    {
        const Held lock(mutex_);
        if (!ok(status_)) return Status::success;
        for (std::uint32_t each = 0; each < described_; ++each)
            append(blocks_, Statistics{each, began_, at, wires_[each].seen, wires_[each].dropped});
    }
    return flush_blocks();
}

void Capture::fail(Status status, std::string_view path) {
    blocks_.clear();
    {
        const Held lock(mutex_);
        if (!ok(status_)) return;
        status_ = status;
    }
    log(LogLevel::error, "capture: {} cannot be written any more: {}; the capture ends, the program goes on", path,
        reason_of(status));
}

std::string_view Capture::reason_of(Status status) const {
    return status == Status::no_memory || files_.reason().empty() ? name(status) : files_.reason();
}

}  // namespace opennd::capture
