// SPDX-License-Identifier: MIT
// HostilePeer: see hostile_peer.h.
#include "fuzz/segment/hostile_peer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "fuzz/world.h"
#include "platform/descriptor/descriptor.h"

namespace opennd::fuzz {
namespace {

using local::Frame;
using local::FrameExtent;
using local::FrameKind;
using local::FrameMark;
using local::Lane;
using local::PeerMemory;
using soft::TokenSlot;
using soft::TokenTable;

constexpr std::size_t kSegments = 2;
constexpr std::size_t kSegmentBytes = 65536;
constexpr std::size_t kTokens = 4;

Descriptor duplicate(int fd) { return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

// Every run's peer: a token table, memory that can be mapped, and a process with memory at stake when the honest side
// lets the kernel copy.
struct Belongings {
    SharedMemory tokens = SharedMemory::create("hostile-tokens", TokenTable::kBytes).take();
    std::array<SharedMemory, kSegments> segments{SharedMemory::create("hostile-memory", kSegmentBytes).take(),
                                                 SharedMemory::create("hostile-memory", kSegmentBytes).take()};
    // At the same address in the victim, which is a child.
    void* const private_memory =
        ::mmap(nullptr, kSegmentBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t victim = 0;

    Belongings() {
        auto* const header = reinterpret_cast<soft::TokenTableHeader*>(tokens.data());
        header->magic = TokenTable::kMagic;
        header->level = soft::TokenDirectory::kSmallestLevel;
        auto* const directory = reinterpret_cast<soft::TokenDirectory::Entry*>(tokens.data());
        for (std::uint32_t token = 1; token <= kTokens; ++token)  // in the slot of its number
            soft::TokenDirectory::add(directory, header->level, token, token);
        victim = ::fork();
        if (victim != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) ::pause();
    }
    TokenSlot& slot(std::uint32_t token) {
        return reinterpret_cast<TokenSlot*>(tokens.data() + TokenTable::kSlotsOffset)[token];
    }
};

// Changes one field of a word that the honest side takes as a whole.
template <class Word, class Change>
void change(std::atomic<std::uint64_t>& word, Change field) {
    Word value = std::bit_cast<Word>(word.load());
    field(value);
    word.store(std::bit_cast<std::uint64_t>(value), std::memory_order_release);
}

Belongings& belongings() {
    static Belongings* const all = new Belongings;
    return *all;
}

// The tokens that this peer makes known; they are of different slots.
std::uint32_t token_of(std::size_t index) { return static_cast<std::uint32_t>(index + 1); }

}  // namespace

HostilePeer::HostilePeer(PeerMemory::Reach reach) {
    // One mapping for both sides: the thread sanitizer knows memory by its address.
    const Ref<local::Arena> arena = local::Arena::create().take();
    segment_ = &arena->segment(0);
    frames_ = &arena->frames(1);
    chunks_ = &arena->chunks(1);
    heard_ = std::make_unique<local::Consumer>(in(), *make_ref<local::LinkMemory>(nullptr, arena, 1), 0);
    auto memory = std::make_unique<PeerMemory>(reach, belongings().victim, [](std::uint32_t) {});
    peer_memory_ = memory.get();
    auto tokens = soft::PeerTokenTable::map(duplicate(belongings().tokens.descriptor()));
    local::RingChannel::Parts parts{make_ref<local::LinkMemory>(nullptr, arena, 0),
                                    0,
                                    local::Side::active,
                                    &shared_adapter()->tokens(),
                                    tokens.take(),
                                    nullptr,
                                    std::move(memory),
                                    true,
                                    1};
    channel_ = make_ref<local::RingChannel>(std::move(parts));
}

HostilePeer::~HostilePeer() {
    for (std::size_t i = 0; i < kTokens; ++i) belongings().slot(token_of(i)).remote_token.store(0);
}

Ref<local::RingChannel> HostilePeer::channel() { return channel_; }

void HostilePeer::publish(Frame& frame) {
    change<FrameMark>(frame.mark, [&](FrameMark& mark) {
        mark.slot = static_cast<std::uint16_t>(slot_of(next_ + 2));
        mark.sequence = ++next_;
    });
}

void HostilePeer::fill(Frame& frame, Script& script, const HonestSide& honest) {
    const auto kind = static_cast<FrameKind>(script.below(11));
    const std::uint8_t flags = script.byte();
    change<FrameMark>(frame.mark, [&](FrameMark& mark) { mark.kind = kind, mark.flags = flags; });
    change<FrameExtent>(frame.extent, [&](FrameExtent& extent) {
        extent.length = static_cast<std::uint16_t>(script.number());
        extent.chunk = chunk(extent.length);
    });
    frame.total.store(script.number());
    if (kind == FrameKind::write || kind == FrameKind::read_request || kind == FrameKind::send_invalidating) {
        frame.token.store(token(script, honest));
        frame.address.store(address(script, honest));
    }
}

void HostilePeer::say(Script& script, const HonestSide& honest) {
    Frame& frame = this->frame(next_);
    fill(frame, script, honest);
    publish(frame);
}

void HostilePeer::offer(Script& script) {
    Frame& frame = this->frame(next_);
    std::array<local::PullPiece, local::kMaxPullPieces + 1> pieces{};
    const std::size_t count = script.below(pieces.size() + 1);
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const RemoteTarget from = target(script);
        pieces[i] = {from.address, script.number(), static_cast<std::uint32_t>(from.token)};
        total += pieces[i].length;
    }
    const auto bytes = static_cast<std::uint32_t>(count * sizeof(local::PullPiece));
    const std::uint16_t number = chunk(bytes);
    std::byte* const list = bytes <= sizeof frame.payload ? frame.payload : chunks_->find(number, bytes);
    std::memcpy(list, pieces.data(), bytes);
    change<FrameMark>(frame.mark,
                      [&](FrameMark& mark) { mark.kind = FrameKind::pull, mark.flags = local::kFirst | local::kLast; });
    change<FrameExtent>(frame.extent, [&](FrameExtent& extent) {
        extent.length = static_cast<std::uint16_t>(bytes);
        extent.chunk = number;
    });
    frame.total.store(total);
    publish(frame);
}

void HostilePeer::rewrite(Script& script, const HonestSide& honest) {
    Frame& frame = this->frame(next_ - 1 - static_cast<std::uint32_t>(script.below(4)));
    switch (script.below(4)) {
        case 0: fill(frame, script, honest); break;
        case 1: std::memset(frame.payload, script.byte(), sizeof frame.payload); break;
        case 2: frame.total.store(script.number()); break;
        case 3: {  // other pieces that add up to the same message
            std::array<local::PullPiece, 2> pieces;
            std::memcpy(pieces.data(), frame.payload, sizeof pieces);
            std::swap(pieces[0].length, pieces[1].length);
            if (script.below(2) == 0) std::swap(pieces[0].token, pieces[1].token);
            std::memcpy(frame.payload, pieces.data(), sizeof pieces);
            break;
        }
    }
}

void HostilePeer::acknowledge(Script& script) {
    const std::uint8_t choice = script.byte();
    std::uint32_t consumed = in().counters.consumed.load();
    if (choice < 128) {
        local::Consumer::Header heard;
        for (std::uint8_t i = 0; i < choice && heard_->peek(heard); ++i) heard_->advance(heard);
        consumed = heard_->next();
    } else {
        consumed = script.number();
    }
    if (script.below(2) == 0)
        in().counters.consumed.store(consumed);
    else
        change<FrameExtent>(frame(next_ - 1).extent, [&](FrameExtent& extent) { extent.acknowledged = consumed; });
}

void HostilePeer::refuse(Script& script) {
    in().counters.refusal.store(script.byte() < 64 ? static_cast<std::uint32_t>(Status::remote_data_error)
                                                   : script.number());
    in().counters.refused.store(script.below(2) == 0 ? in().counters.consumed.load() + 1 : script.number());
}

void HostilePeer::wish(Script& script) {
    const std::uint32_t value = local::LaneWish::with(static_cast<std::uint32_t>(script.below(5)), script.byte());
    Lane& lane = script.below(4) == 0 ? out() : in();
    lane.wishes.attention.store(value);
}

void HostilePeer::scribble(Script& script) {
    const std::size_t offset = script.raw<std::uint32_t>() % (sizeof(local::Segment) + kFramesAtStake);
    const std::size_t count = 1 + script.below(16);
    for (std::size_t i = offset; i < std::min(offset + count, sizeof(local::Segment) + kFramesAtStake); ++i)
        byte_at(i) = static_cast<std::byte>(script.byte());
}

// The segment, then frames of this side.
std::byte& HostilePeer::byte_at(std::size_t offset) {
    if (offset < sizeof(local::Segment)) return reinterpret_cast<std::byte*>(segment_)[offset];
    return reinterpret_cast<std::byte*>(&frames_->at(local::kFirstShared))[offset - sizeof(local::Segment)];
}

void HostilePeer::interfere(std::minstd_rand& random) {
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    const auto number = [&] { return Script::kEdges[below(Script::kEdges.size())]; };
    const std::uint32_t front = out().counters.consumed.load() + below(16);  // the next frames to be read
    Frame& frame = this->frame(front);
    const auto in_mark = [&](auto field) { change<FrameMark>(frame.mark, field); };
    const auto in_extent = [&](auto field) { change<FrameExtent>(frame.extent, field); };
    switch (below(11)) {
        case 0: in_mark([&](FrameMark& mark) { mark.sequence = below(8) == 0 ? number() : front + 1; }); break;
        case 1: in_mark([&](FrameMark& mark) { mark.kind = static_cast<FrameKind>(below(11)); }); break;
        case 2: in_mark([&](FrameMark& mark) { mark.flags = static_cast<std::uint8_t>(below(8)); }); break;
        case 3: in_extent([&](FrameExtent& extent) { extent.length = static_cast<std::uint16_t>(number()); }); break;
        case 4: frame.total.store(number()); break;
        case 5: in_extent([&](FrameExtent& extent) { extent.acknowledged = number(); }); break;
        case 6: in().counters.consumed.store(in().counters.consumed.load() + below(3)); break;
        case 7: in().wishes.attention.store(local::LaneWish::with(below(5), below(32))); break;
        case 8: out().access.token.store(number()); break;
        case 9: in_extent([&](FrameExtent& extent) { extent.chunk = static_cast<std::uint16_t>(random()); }); break;
        case 10: in_mark([&](FrameMark& mark) { mark.slot = static_cast<std::uint16_t>(random()); }); break;
    }
}

void HostilePeer::interfere_with_bytes(std::minstd_rand& random) {
    const std::size_t place = random() % ((sizeof(local::Segment) + kFramesAtStake) / sizeof(std::uint64_t));
    auto& word = reinterpret_cast<std::uint64_t&>(byte_at(place * sizeof(std::uint64_t)));
    std::atomic_ref(word).store(random(), std::memory_order_relaxed);
}

void HostilePeer::grant(Script& script) {
    const std::uint32_t token = token_of(script.below(kTokens));
    TokenSlot& slot = belongings().slot(token);
    slot.access.store(script.byte());
    slot.segment.store(static_cast<std::uint32_t>(script.below(4)));
    slot.address.store(reinterpret_cast<std::uint64_t>(belongings().private_memory) + script.number());
    slot.length.store(script.number());
    slot.offset.store(script.below(2) == 0 ? script.number() : ~std::uint64_t{script.number()});
    slot.scope.store(static_cast<std::uint32_t>(script.below(3)));
    slot.remote_token.store(script.below(8) == 0 ? script.number() : token);
}

void HostilePeer::give_segment(Script& script) {
    const auto number = static_cast<std::uint32_t>(script.below(4));
    auto memory = SharedMemory::map(duplicate(belongings().segments[number % kSegments].descriptor()), kSegmentBytes,
                                    SharedMemory::Access::read_write);
    if (memory.ok()) peer_memory_->add(number, memory.take());
}

void HostilePeer::leave_accesses() {
    out().access.token.store(0);
    out().access.fetching.store(0);
}

RemoteTarget HostilePeer::target(Script& script) const {
    const std::size_t index = script.below(kTokens + 2);
    const auto token = index < kTokens ? token_of(index) : index == kTokens ? 0 : script.raw<std::uint32_t>();
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(belongings().private_memory);
    return {script.below(8) == 0 ? script.raw<std::uint64_t>() : at + script.number(), static_cast<Token>(token)};
}

void HostilePeer::misname(Script& script) {
    Frame& frame = this->frame(next_ - 1);
    if (script.below(2) == 0)
        change<FrameExtent>(frame.extent, [&](FrameExtent& extent) { extent.chunk = script.raw<std::uint16_t>(); });
    else
        change<FrameMark>(frame.mark, [&](FrameMark& mark) { mark.slot = script.raw<std::uint16_t>(); });
}

// The first are where a lane begins, the others side by side.
std::uint32_t HostilePeer::slot_of(std::uint32_t frame) {
    return frame < 2 ? local::Frames::home(0) + frame : local::kFirstShared + frame % local::kFrames;
}

// One that is large enough, if any is.
std::uint16_t HostilePeer::chunk(std::uint32_t length) const {
    const std::size_t kind = local::ChunkPool::kind_for(std::min(length, local::kMostPayload));
    return static_cast<std::uint16_t>(local::chunk_origin(kind).number + next_ % 4);
}

std::uint64_t HostilePeer::address(Script& script, const HonestSide& honest) const {
    const std::size_t choice = script.below(HonestSide::kRegions + 1);
    if (choice == HonestSide::kRegions) return script.raw<std::uint64_t>();
    const std::uint64_t offset = script.number();
    return reinterpret_cast<std::uint64_t>(honest.region(choice).data) + offset;
}

std::uint32_t HostilePeer::token(Script& script, const HonestSide& honest) const {
    const std::size_t choice = script.below(HonestSide::kRegions + 3);
    if (choice < HonestSide::kRegions) return static_cast<std::uint32_t>(honest.region(choice).remote_token);
    if (choice == HonestSide::kRegions) return static_cast<std::uint32_t>(honest.window_token());
    return choice == HonestSide::kRegions + 1 ? 0 : script.raw<std::uint32_t>();
}

}  // namespace opennd::fuzz
