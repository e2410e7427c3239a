// SPDX-License-Identifier: MIT
//
// See generator.h.
#include "model/program/generator.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

namespace opennd::modeled {
namespace {

using namespace conformance;

constexpr std::uint32_t kInlineBytes = 256;

class Generator {
public:
    Generator(std::uint64_t seed, const Setting& fixed) : random_(seed) {
        program_.seed = seed;
        program_.setting = fixed;
    }

    Program run() {
        draw_setting();
        draw_theme();
        constexpr std::size_t kMost[] = {16, 40, 90};
        const std::size_t most = kMost[draw(3)];
        const std::size_t count = 3 + draw(most);
        for (std::size_t i = 0; i < count; ++i) add(draw_kind());
        for (std::size_t i = 0; i < endings_; ++i) insert_ending();
        for (std::size_t i = 0; i < program_.operations.size(); ++i)
            program_.operations[i].id = static_cast<unsigned>(i);
        return std::move(program_);
    }

private:
    struct Weight {
        Kind kind;
        unsigned weight;
    };

    unsigned draw(std::size_t below) { return static_cast<unsigned>(random_() % below); }
    bool one_in(unsigned times) { return draw(times) == 0; }
    bool is(const char* face) const { return program_.setting.face == face; }

    void draw_setting() {
        Setting& setting = program_.setting;
        setting.pairs = one_in(3) ? 2 : 1;
        constexpr std::uint32_t kDepths[] = {2, 5, 16};
        setting.initiator_depth = kDepths[draw(3)];
        setting.receive_depth = kDepths[draw(3)];
        setting.completion_depth = one_in(4) ? 2 : 64;
        setting.teardown = draw(1000);
        if (setting.transport == "shm" && one_in(4)) setting.world = World::frames;
        if (!is("Ndk") && one_in(8)) setting.world = World::impatient;
        for (unsigned side = 0; side < kSides; ++side) {
            setting.abrupt[side] = one_in(6);
            setting.polled[side] = one_in(3);
            setting.shared_receives[side] = !is("Nd1") && one_in(4);
            setting.memory[side] = one_in(2) ? MemoryKind::mappable : MemoryKind::ordinary;
            constexpr unsigned kRights[] = {kAllRights, kAllRights, kLocalWrite, kLocalWrite | kRemoteRead,
                                            kLocalWrite | kRemoteWrite};
            setting.rights[side] = kRights[draw(std::size(kRights))];
        }
    }

    void draw_theme() {
        weights_ = {{Kind::receive, 10}, {Kind::send, 8}, {Kind::poll, 8}, {Kind::drain, 2}};
        if (!one_in(3)) weights_.push_back({Kind::write, 7});
        if (!one_in(3)) weights_.push_back({Kind::read, 6});
        if (one_in(3))
            weights_.insert(weights_.end(), {{Kind::bind, 3}, {Kind::invalidate, 2}, {Kind::release_window, 1}});
        if (one_in(3)) weights_.insert(weights_.end(), {{Kind::withdraw, 2}, {Kind::enroll, 2}});
        if (one_in(3)) weights_.insert(weights_.end(), {{Kind::arm, 3}, {Kind::resize, 1}});
        if (one_in(3)) weights_.push_back({Kind::await_end, 1});
        if (program_.setting.shared_receives[0] || program_.setting.shared_receives[1])
            weights_.push_back({Kind::modify, 1});
        if (one_in(6) && !is("Ndk")) weights_.push_back({Kind::cancel, 1});
        total_ = 0;
        for (const Weight& each : weights_) total_ += each.weight;
        spoils_ = one_in(2);
        short_receives_ = one_in(6);
        waiting_ = draw(4);
        endings_ = one_in(3) ? 0 : 1 + draw(2);
        empty_ = one_in(4);
        longest_ = one_in(3) ? kLongest : one_in(2) ? 4'000 : 200;
    }

    Kind draw_kind() {
        unsigned at = draw(total_);
        for (const Weight& each : weights_) {
            if (at < each.weight) return each.kind;
            at -= each.weight;
        }
        return Kind::poll;
    }

    Operation begin(Kind kind) {
        Operation operation;
        operation.kind = kind;
        operation.side = draw(kSides);
        operation.pair = draw(program_.setting.pairs);
        operation.waits = waiting_ == 0 || (waiting_ < 3 && one_in(2));
        return operation;
    }

    void add(Kind kind) {
        Operation operation = begin(kind);
        switch (kind) {
            case Kind::receive: fill_receive(operation); break;
            case Kind::send: fill_transfer(operation); break;
            case Kind::write:
            case Kind::read: fill_access(operation); break;
            case Kind::bind:
            case Kind::invalidate:
            case Kind::release_window: fill_window(operation); break;
            case Kind::poll: operation.length = 1 + draw(4); break;
            case Kind::arm: operation.object = draw(3); break;
            case Kind::resize: operation.length = 1 + draw(100); break;
            case Kind::modify: operation.length = 1 + draw(20); break;
            case Kind::withdraw:
            case Kind::enroll: operation.object = is("Nd1") ? 0 : draw(kRegions); break;
            default: break;
        }
        program_.operations.push_back(operation);
    }

    std::uint32_t draw_pieces() { return 1 + draw(one_in(4) ? most_pieces(program_.setting) : 4); }

    void fill_receive(Operation& operation) {
        operation.length = short_receives_ && one_in(2) ? draw_length() : static_cast<std::uint32_t>(kLongest);
        operation.object = draw(kRegions);
        operation.pieces = operation.length == 0 ? draw(2) : draw_pieces();
        // Not absent: a short message may not meet what is gone.
        if (spoils_ && one_in(24)) operation.spoil = one_in(2) ? Spoil::stale : Spoil::outside;
    }

    void fill_transfer(Operation& operation) {
        operation.length = draw_length();
        operation.object = draw(kRegions);
        operation.pieces = operation.length == 0 ? draw(2) : one_in(2) ? 1 : draw_pieces();
        if (one_in(5)) operation.flags |= kSilent;
        if (one_in(6)) operation.flags |= kReadFence;
        if (operation.kind == Kind::send && one_in(4)) operation.flags |= kSolicit;
        if (operation.kind == Kind::send && is("Nd2") && operation.id % 3 == 0) operation.flags |= kImmediate;
        if (operation.kind != Kind::read && operation.length <= kInlineBytes && one_in(3)) operation.flags |= kInline;
        if (spoils_ && one_in(12) && !operation.has(kInline))
            operation.spoil = one_in(3) ? Spoil::outside : one_in(2) ? Spoil::stale : Spoil::absent;
        // A Read meets absent memory when its answer comes, behind what was posted after it.
        if (operation.kind == Kind::read && operation.spoil == Spoil::absent) operation.spoil = Spoil::stale;
    }

    void fill_access(Operation& operation) {
        fill_transfer(operation);
        operation.area = is("Nd1") && one_in(2) ? 3 : draw(uses(Kind::bind) && !is("Nd1") ? kAreas : kRegions);
        std::uint32_t& used = written_[1 - operation.side][operation.area];
        if (operation.kind == Kind::write && used + operation.length > kAreaBytes / 2) operation.length = 0;
        operation.offset = operation.kind == Kind::write ? used : draw(kAreaBytes - operation.length + 1);
        if (operation.kind == Kind::write) used += operation.length;
        if (spoils_ && one_in(12))
            operation.spoil = one_in(2) || std::exchange(beyond_[operation.side][operation.area], true) ? Spoil::token
                                                                                                        : Spoil::beyond;
        if (spoils_ && one_in(8) && operation.area >= kRegions && program_.setting.pairs == 2 && !is("Ndk"))
            operation.spoil = Spoil::foreign;
    }

    void fill_window(Operation& operation) {
        operation.object = is("Nd1") ? 1 : draw(kWindows);
        if (operation.kind != Kind::bind) return;
        constexpr unsigned kGrants[] = {kAllowRead, kAllowWrite, kAllowRead | kAllowWrite, kAllowRead | kAllowWrite};
        operation.flags =
            kGrants[draw(std::size(kGrants))] | (one_in(4) ? kSilent : kNoFlags) | (one_in(6) ? kReadFence : kNoFlags);
    }

    void insert_ending() {
        constexpr Kind kEndings[] = {Kind::flush, Kind::flush, Kind::disconnect, Kind::release_connector,
                                     Kind::release_queue_pair};
        Operation operation = begin(kEndings[draw(std::size(kEndings))]);
        if (program_.setting.processes == 2 && one_in(3)) operation.kind = Kind::kill;
        const std::size_t at = program_.operations.size() / 3 + draw(program_.operations.size() + 1);
        const std::size_t place = std::min(at, program_.operations.size());
        std::vector<Operation> ending{operation};
        if (one_in(2)) ending.insert(ending.begin(), on_its_way(operation));
        if (!one_in(3)) ending.push_back(late_receive(operation));
        if (one_in(3)) surround_by_traffic(ending, operation);
        program_.operations.insert(program_.operations.begin() + static_cast<std::ptrdiff_t>(place), ending.begin(),
                                   ending.end());
    }

    // The side that ends has a receive for each of many messages, which come before, during and after the end.
    void surround_by_traffic(std::vector<Operation>& ending, const Operation& by) {
        const std::size_t messages = 3 + draw(5);  // so that two endings fit the board
        std::vector<Operation> receives, before;
        const auto message = [&] {
            Operation operation = on_its_way(by);
            operation.side = 1 - by.side;
            operation.waits = false;
            operation.length = std::min(operation.length, 200u);
            return operation;
        };
        for (std::size_t i = 0; i < messages; ++i) {
            Operation receive = late_receive(by);
            receive.side = by.side;
            receive.waits = false;
            receives.push_back(receive);
            (one_in(2) ? before : ending).push_back(message());
        }
        ending.insert(ending.begin(), before.begin(), before.end());
        ending.insert(ending.begin(), receives.begin(), receives.end());
    }

    // A message that is on its way when its connection ends, and a receive for the messages from before the end.
    Operation on_its_way(const Operation& ending) {
        Operation operation = begin(Kind::send);
        operation.side = ending.side;
        operation.pair = ending.pair;
        operation.object = draw(kRegions);
        operation.length = one_in(2) ? static_cast<std::uint32_t>(kLongest) - draw(30'000) : draw_length();
        operation.pieces = operation.length == 0 ? 0 : draw_pieces();
        return operation;
    }
    Operation late_receive(const Operation& ending) {
        Operation operation = begin(Kind::receive);
        operation.side = 1 - ending.side;
        operation.pair = ending.pair;
        operation.waits = !one_in(3);
        fill_receive(operation);
        return operation;
    }

    bool uses(Kind kind) const {
        return std::any_of(weights_.begin(), weights_.end(), [&](const Weight& each) { return each.kind == kind; });
    }

    std::uint32_t draw_length() {
        if (empty_ && one_in(2)) return 0;
        constexpr std::size_t kMost[] = {1, 96, 300, 4'000, kLongest};
        return draw(std::min(kMost[draw(std::size(kMost))], longest_) + 1);
    }

    std::mt19937_64 random_;
    Program program_;
    std::vector<Weight> weights_;
    unsigned total_ = 0;
    bool spoils_ = false, short_receives_ = false, empty_ = false;
    unsigned waiting_ = 0;
    std::size_t endings_ = 0, longest_ = kLongest;
    bool beyond_[kSides][kAreas] = {};            // one at most, so that two do not meet
    std::uint32_t written_[kSides][kAreas] = {};  // each Write has a place of its own
};

}  // namespace

Program generate(std::uint64_t seed, const Setting& fixed) { return Generator(seed, fixed).run(); }

}  // namespace opennd::modeled
