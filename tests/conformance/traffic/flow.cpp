// SPDX-License-Identifier: MIT
//
// Posting as soon as memory, windows and the peer's receives allow; verifying at each completion.
#include "conformance/traffic/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace opennd::conformance::traffic {
namespace {

constexpr Tag kReceiveTag = Tag{1} << 40;  // receives are counted from here

std::size_t receive_capacity(const Step& message) {
    return message.seed % 3 == 0 ? std::min(kLongest, message.length + 5000) : message.length;
}

}  // namespace

Flow::Flow(std::uint64_t script_seed, std::uint64_t peer_seed, std::size_t steps, std::span<std::byte> memory,
           MemoryRegion& region)
    : memory_(memory),
      region_(region),
      local_token_(region.local_token()),
      script_(script_seed, steps),
      step_(script_.next()),
      peer_script_(peer_seed, steps),
      to_post_(peer_script_.next_send()),
      arrivals_(peer_seed, steps) {
    expected_ = arrivals_.next_send();
    for (auto& contents : window_contents_) contents.resize(kWindowBytes);
}

void Flow::attach(std::unique_ptr<QueuePair> queue_pair, Flow& peer) {
    queue_pair_ = std::move(queue_pair);
    peer_ = &peer;
}

bool Flow::play() {
    bool any = false;
    while (post_receive()) any = true;
    while (post_step()) any = true;
    return any;
}

bool Flow::post_receive() {
    const Tag number = receives_posted_.load(std::memory_order_relaxed);
    if (!to_post_ || number - received_ == kReceives) return false;
    Scattered& layout = receive_layouts_[number % kReceives];
    layout = Scattered(receive_slot(number), receive_capacity(*to_post_), to_post_->length, to_post_->seed + 1);
    EXPECT_EQ(queue_pair_->receive(kReceiveTag + number, layout.sges(local_token_)), Outcome::success);
    to_post_ = peer_script_.next_send();
    receives_posted_.store(number + 1, std::memory_order_release);
    return true;
}

bool Flow::post_step() {
    if (!step_ || source_busy_[next_source_]) return false;
    const Step step = *step_;
    const bool one_sided = step.kind != Step::Kind::send;
    if (one_sided && window_busy_[step.window]) return false;
    if (step.kind == Step::Kind::copy && window_busy_[step.window_2]) return false;
    if (!one_sided && sends_ == peer_->receives_posted_.load(std::memory_order_acquire)) return false;

    const std::size_t index = next_source_;
    Scattered& layout = layouts_[index];
    layout = Scattered(source(index), step.length, step.length, step.seed);
    const std::vector<Sge> sges = layout.sges(local_token_);
    const Remote at = peer_->remote(step.window, step.offset);
    Request request{next_request_, RequestKind::send, step, index, {}, true};
    switch (step.kind) {
        case Step::Kind::send:
            request.bytes = bytes_of(step.seed, step.length);
            layout.put(request.bytes);
            ++sends_;
            post(std::move(request), queue_pair_->send(next_request_, sges, step.flags));
            break;
        case Step::Kind::write:
            request.kind = RequestKind::write;
            request.bytes = bytes_of(step.seed, step.length);
            layout.put(request.bytes);
            post(std::move(request), queue_pair_->write(next_request_, sges, at, step.flags));
            break;
        case Step::Kind::read:
        case Step::Kind::copy: {
            const auto from = window_contents_[step.window].begin() + static_cast<std::ptrdiff_t>(step.offset);
            request.kind = RequestKind::read;
            request.bytes.assign(from, from + static_cast<std::ptrdiff_t>(step.length));
            request.last = step.kind == Step::Kind::read;
            post(request, queue_pair_->read(next_request_, sges, at, step.flags));
            if (request.last) break;
            // The Write sends the Read's bytes, and the fence makes it wait for them (ND2-QP-POST-12).
            request.kind = RequestKind::write;
            request.tag = next_request_;
            request.last = true;
            request.step.window = step.window_2;
            request.step.offset = step.offset_2;
            window_busy_[step.window_2] = true;
            post(std::move(request),
                 queue_pair_->write(next_request_, sges, peer_->remote(step.window_2, step.offset_2), kReadFence));
            break;
        }
    }
    // Inline data are copied by the call (ND2-QP-SEND-04).
    if ((step.flags & kInline) != 0) layout.put(bytes_of(~step.seed, step.length));
    if (one_sided) window_busy_[step.window] = true;
    source_busy_[index] = true;
    next_source_ = (index + 1) % kSources;
    step_ = script_.next();
    return true;
}

void Flow::post(Request request, Outcome outcome) {
    EXPECT_EQ(outcome, Outcome::success) << "request " << next_request_;
    in_flight_.push_back(std::move(request));
    ++next_request_;
}

void Flow::complete(const Completion& completion) {
    ASSERT_EQ(completion.outcome, Outcome::success) << completion;
    if (completion.kind == RequestKind::receive) return finish_receive(completion);
    // Silent ones before it are done with it; any other is missing (ND2-CQ-GET-04, ND2-QP-POST-13).
    while (!in_flight_.empty() && in_flight_.front().tag != completion.request) {
        ASSERT_TRUE(in_flight_.front().step.silent())
            << "request " << in_flight_.front().tag << " has no result, but " << completion;
        finish(in_flight_.front());
        in_flight_.pop_front();
    }
    ASSERT_FALSE(in_flight_.empty()) << "a result of no request: " << completion;
    const Request request = std::move(in_flight_.front());
    in_flight_.pop_front();
    EXPECT_EQ(completion.kind, request.kind);
    EXPECT_FALSE(request.step.silent()) << completion;
    EXPECT_EQ(completion.bytes, 0u);
    finish(request);
}

void Flow::finish(const Request& request) {
    if (request.kind == RequestKind::write) finish_write(request);
    if (request.kind == RequestKind::read) {
        EXPECT_TRUE(layouts_[request.source].holds(request.bytes)) << "Read of request " << request.tag;
    }
    if (request.kind != RequestKind::send) window_busy_[request.step.window] = false;
    if (request.last) source_busy_[request.source] = false;
}

// A Write is complete when it is placed (ND2-QP-WRITE-02): the peer's memory can be looked at.
void Flow::finish_write(const Request& request) {
    auto& contents = window_contents_[request.step.window];
    const std::size_t offset = request.step.offset, length = request.bytes.size();
    std::copy(request.bytes.begin(), request.bytes.end(), contents.begin() + static_cast<std::ptrdiff_t>(offset));
    EXPECT_TRUE(same_bytes(peer_->window(request.step.window).subspan(offset - kGuard, length + 2 * kGuard),
                           std::span(contents).subspan(offset - kGuard, length + 2 * kGuard)))
        << "Write of request " << request.tag << ", " << length << " bytes behind a guard of " << kGuard;
}

void Flow::finish_receive(const Completion& completion) {
    ASSERT_TRUE(expected_.has_value()) << "more messages than were sent";
    EXPECT_EQ(completion.request, kReceiveTag + received_) << "receives complete in order (ND2-CQ-GET-04)";
    EXPECT_EQ(completion.bytes, expected_->length);
    EXPECT_TRUE(receive_layouts_[received_ % kReceives].holds(bytes_of(expected_->seed, expected_->length)))
        << "message " << received_ << ", " << expected_->length << " bytes";
    ++received_;
    expected_ = arrivals_.next_send();
}

void Flow::check_windows() const {
    for (std::size_t i = 0; i < kWindows; ++i)
        EXPECT_TRUE(same_bytes(peer_->window(i), window_contents_[i])) << "window " << i;
}

}  // namespace opennd::conformance::traffic
