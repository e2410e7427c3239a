// SPDX-License-Identifier: MIT
// HonestSide: see honest_side.h.
#include "fuzz/segment/honest_side.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace opennd::fuzz {
namespace {

// Regions lie in one arena with watched bytes between them.
constexpr std::size_t kGuard = 4096;
constexpr std::array<std::size_t, HonestSide::kRegions> kRegionBytes{40960, 40960, 8192, 40960};
constexpr std::array<Access, HonestSide::kRegions> kRights{
    Access::local_write, Access::remote_read, Access::local_write | Access::remote_read | Access::remote_write,
    Access::local_write | Access::read_sink};
constexpr std::array<const char*, HonestSide::kRegions> kRegionNames{"inbox", "outbox", "shared", "vault"};
constexpr std::size_t kArenaBytes = 40960 * 3 + 8192 + kGuard * 5;
// The part of the vault that a window opens.
constexpr std::size_t kWindowOffset = 8192, kWindowBytes = 4096;

constexpr QueuePairLimits kLimits{16, 16, 4, 4, 256};

alignas(4096) std::array<std::byte, kArenaBytes> arena;
// The arena's expected bytes.
std::array<std::byte, kArenaBytes> expected;

const std::array<std::byte, kArenaBytes>& pattern() {
    static const auto bytes = [] {
        std::array<std::byte, kArenaBytes> made{};
        for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(i * 7 + (i >> 8));
        return made;
    }();
    return bytes;
}

bool is_definite(Status status) { return status != Status::would_block && status != Status::queue_full; }

}  // namespace

// Ends the connection later, as a connector does: not inside the call that found the failure.
class HonestSide::End final : public soft::ConnectionEnd {
public:
    void queue_pair_failed() override { failed = true; }
    void queue_pair_closed() override {}
    bool failed = false;
    const std::uint64_t failures_before = failures_reported();
};

HonestSide::HonestSide(Ref<soft::SoftAdapter> adapter, Ref<local::RingChannel> channel)
    : adapter_(std::move(adapter)), channel_(std::move(channel)), end_(make_ref<End>()) {
    posted_.reserve(kMostRequests);
    expected = arena = pattern();
    std::byte* at = arena.data() + kGuard;
    for (std::size_t i = 0; i < kRegions; ++i) {
        Ref<TransportMemory> memory = adapter_->register_memory(at, kRegionBytes[i], kRights[i]).take();
        const Token token = memory->remote_token();
        regions_[i] = {at, kRegionBytes[i], std::move(memory), token};
        at += kRegionBytes[i] + kGuard;
    }
    completions_ = adapter_->create_completion_queue(kMostRequests, NotifyRule::level, events_).take();
    const QueuePairParameters parameters{kLimits, completions_, completions_, this};
    queue_pair_ = Ref<soft::SoftQueuePair>(
        static_cast<soft::SoftQueuePair*>(adapter_->create_queue_pair(parameters).take().get()));
    require(queue_pair_->attach(Ref<soft::Channel>(channel_), Ref<soft::ConnectionEnd>(end_), {4, 4}), "attach");
}

HonestSide::~HonestSide() {
    channel_->end_peer();
    queue_pair_->end(Status::canceled);
    poll(kMostRequests);
    for (const Posted& each : posted_)
        require(each.completed || each.silent, "a posted request completes when the connection ends");
    for (std::size_t i = 0; i < kRegions; ++i) deregister(static_cast<RegionName>(i));
    if (binding_) binding_->end();
    queue_pair_->close();
    poll(1);
    completions_->close();
}

Sge HonestSide::part_of(RegionName name, Script& script) const {
    const Region& region = regions_[name];
    const std::size_t offset = script.number() % (region.bytes + 1);
    const std::size_t bytes = script.number() % (region.bytes - offset + 1);
    return {region.data + offset, static_cast<std::uint32_t>(bytes),
            region.memory ? region.memory->local_token() : Token::none};
}

std::vector<Sge> HonestSide::parts_of(RegionName name, Script& script) const {
    std::vector<Sge> parts;
    for (std::size_t count = 1 + script.below(kSges); count > 0; --count) parts.push_back(part_of(name, script));
    return parts;
}

void HonestSide::post(WorkRequest request, bool fills) {
    if (posted_.size() == kMostRequests) return;
    request.context = reinterpret_cast<void*>(posted_.size() + 1);
    Posted& entry = posted_.emplace_back();
    entry.silent = has(request.flags, RequestFlags::silent_success);
    if (fills) entry.filled.assign(request.sges.begin(), request.sges.end());
    if (!ok(queue_pair_->post(request))) posted_.pop_back();
    check();
}

void HonestSide::receive(Script& script) {
    const std::vector<Sge> parts = parts_of(script.below(4) == 0 ? shared : inbox, script);
    WorkRequest request;
    request.operation = Operation::receive;
    request.sges = parts;
    post(request, true);
}

void HonestSide::send(Script& script) {
    const std::vector<Sge> parts = parts_of(outbox, script);
    WorkRequest request;
    request.operation = Operation::send;
    request.flags = static_cast<RequestFlags>(script.byte() & 7);
    request.sges = parts;
    if (total_length(request.sges) <= kLimits.inline_bytes && script.below(4) == 0)
        request.flags = request.flags | RequestFlags::inline_data;
    post(request, false);
}

void HonestSide::read(Script& script, const RemoteTarget& from) {
    const std::vector<Sge> parts = parts_of(vault, script);
    WorkRequest request;
    request.operation = Operation::read;
    request.flags = static_cast<RequestFlags>(script.byte() & 3);
    request.sges = parts;
    request.remote_address = from.address;
    request.remote_token = from.token;
    post(request, true);
}

void HonestSide::write(Script& script, const RemoteTarget& to) {
    const std::vector<Sge> parts = parts_of(outbox, script);
    WorkRequest request;
    request.operation = Operation::write;
    request.flags = static_cast<RequestFlags>(script.byte() & 3);
    request.sges = parts;
    request.remote_address = to.address;
    request.remote_token = to.token;
    post(request, false);
}

void HonestSide::bind(Script& script) {
    if (binding_ || !regions_[vault].memory) return;
    const Access rights = script.below(2) == 0 ? Access::remote_write : Access::remote_read;
    auto bound = adapter_->bind_window(*queue_pair_, *regions_[vault].memory, regions_[vault].data + kWindowOffset,
                                       kWindowBytes, rights, {});
    require(bound.ok(), "a window can be bound");
    binding_ = bound.take();
    window_bound_ = rights == Access::remote_write;
    WorkRequest request;
    request.operation = Operation::bind;
    request.extra = binding_.get();
    post(request, false);
}

void HonestSide::invalidate() {
    if (!binding_) return;
    WorkRequest request;
    request.operation = Operation::invalidate;
    request.extra = binding_.get();
    post(request, false);
    if (!binding_->alive()) window_bound_ = false;
}

void HonestSide::poll(std::size_t room) {
    std::array<Completion, kMostRequests> completions;
    const std::size_t count = completions_->poll(std::span(completions).first(std::min(room, completions.size())));
    check();
    for (std::size_t i = 0; i < count; ++i) note(completions[i]);
}

void HonestSide::note(const Completion& completion) {
    const auto number = reinterpret_cast<std::uintptr_t>(completion.request_context);
    require(number >= 1 && number <= posted_.size(), "a completion is of a request that was posted");
    Posted& entry = posted_[number - 1];
    require(!entry.completed, "a request completes once");
    require(!entry.silent || !ok(completion.status), "a silent request completes only if it fails");
    require(is_definite(completion.status), "a completion has a definite status");
    entry.completed = true;
    entry.filled.clear();
}

void HonestSide::arm(NotifyKind kind) {
    completions_->arm(kind);
    check();
}

void HonestSide::serve() {
    (void)queue_pair_->serve();
    check();
}

void HonestSide::deregister(RegionName name) {
    if (!regions_[name].memory) return;
    if (name == vault && binding_) {
        binding_->end();
        window_bound_ = false;
    }
    regions_[name].memory->deregister();
    check();
    regions_[name].memory = nullptr;  // from here on the program uses the memory for something else
}

void HonestSide::flush() {
    queue_pair_->flush();
    flushed_ = true;
    check();
}

bool HonestSide::is_registered(const std::byte* at) const {
    return std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
        return region.memory && at >= region.data && at <= region.data + region.bytes;
    });
}

// These bytes may have changed.
void HonestSide::accept(const std::byte* from, std::size_t bytes) {
    std::memcpy(expected.data() + (from - arena.data()), from, bytes);
}

void HonestSide::check() {
    if (regions_[shared].memory) accept(regions_[shared].data, regions_[shared].bytes);
    if (window_bound_) accept(regions_[vault].data + kWindowOffset, kWindowBytes);
    for (const Posted& each : posted_)
        for (const Sge& sge : each.filled)
            if (is_registered(sge.buffer)) accept(sge.buffer, sge.length);
    const bool unchanged = std::memcmp(arena.data(), expected.data(), arena.size()) == 0;
    if (!unchanged) tell_change();
    require(unchanged, "only granted memory changes");
    check_failure();
}

// Prints where memory changed against the rules, for a debugging reader.
void HonestSide::tell_change() const {
    const auto first = std::mismatch(arena.begin(), arena.end(), expected.begin());
    const auto last = std::mismatch(arena.rbegin(), arena.rend(), expected.rbegin());
    std::size_t name = kRegions;  // none: a guard
    for (std::size_t i = 0; i < kRegions; ++i)
        if (&*first.first >= regions_[i].data && &*first.first < regions_[i].data + regions_[i].bytes) name = i;
    const std::byte* const start = name == kRegions ? arena.data() : regions_[name].data;
    std::fprintf(stderr, "fuzz: %s, bytes %td to %td: the first is %#x, was %#x; %s\n",
                 name == kRegions ? "arena" : kRegionNames[name], &*first.first - start, &*last.first - start,
                 std::to_integer<unsigned>(*first.first), std::to_integer<unsigned>(*first.second),
                 name != kRegions && regions_[name].memory ? "registered" : "not registered");
    for (std::size_t i = 0; i < posted_.size(); ++i)
        for (const Sge& sge : posted_[i].filled)
            std::fprintf(stderr, "fuzz: request %zu of %zu may fill %#tx+%u of the arena\n", i + 1, posted_.size(),
                         sge.buffer - arena.data(), sge.length);
}

void HonestSide::check_failure() {
    if (channel_->broken() || (end_->failed && !flushed_))
        require(failures_reported() > end_->failures_before, "a connection that fails says why");
    if (end_->failed) require(queue_pair_->state() == QueuePairState::error, "a failed queue pair is in error");
}

}  // namespace opennd::fuzz
