// SPDX-License-Identifier: MIT
//
// See program.h.
#include "model/program/program.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>

namespace opennd::modeled {
namespace {

using conformance::kAllRights;

constexpr const char* kKindNames[] = {
    "receive",
    "send",
    "write",
    "read",
    "bind",
    "invalidate",
    "poll",
    "drain",
    "arm",
    "cancel",
    "resize",
    "modify",
    "await-end",
    "flush",
    "disconnect",
    "release-queue-pair",
    "release-connector",
    "withdraw",
    "enroll",
    "release-window",
    "kill",
};
constexpr const char* kWorldNames[] = {"plain", "frames", "impatient"};
constexpr const char* kSpoilNames[] = {"none", "stale", "outside", "token", "beyond", "foreign", "absent"};

template <typename Enum, std::size_t kCount>
Enum named(const char* const (&names)[kCount], const std::string& name) {
    const auto at = std::find(std::begin(names), std::end(names), name);
    if (at == std::end(names)) throw std::runtime_error("no program: " + name);
    return static_cast<Enum>(at - std::begin(names));
}

// The words of a line: "name=value".
class Words {
public:
    explicit Words(const std::string& line) : stream_(line) {}
    bool next(std::string& name, std::string& value) {
        std::string word;
        if (!(stream_ >> word)) return false;
        const std::size_t equals = word.find('=');
        name = word.substr(0, equals);
        value = equals == std::string::npos ? "" : word.substr(equals + 1);
        return true;
    }

private:
    std::istringstream stream_;
};

unsigned number(const std::string& text) { return static_cast<unsigned>(std::stoul(text)); }

Setting setting_of(const std::string& line, std::uint64_t& seed) {
    Setting setting;
    Words words(line);
    for (std::string name, value; words.next(name, value);) {
        if (name == "seed") seed = std::stoull(value);
        if (name == "face") setting.face = value;
        if (name == "transport") setting.transport = value;
        if (name == "world") setting.world = named<World>(kWorldNames, value);
        if (name == "wire-may-break") setting.wire_may_break = true;
        if (name == "processes") setting.processes = number(value);
        if (name == "pairs") setting.pairs = std::clamp(number(value), 1u, kMostPairs);
        if (name == "initiators") setting.initiator_depth = number(value);
        if (name == "receives") setting.receive_depth = number(value);
        if (name == "completions") setting.completion_depth = number(value);
        if (name == "teardown") setting.teardown = number(value);
        for (unsigned side = 0; side < kSides; ++side) {
            const std::string end(1, static_cast<char>('0' + side));
            if (name == "abrupt" + end) setting.abrupt[side] = value == "1";
            if (name == "polled" + end) setting.polled[side] = value == "1";
            if (name == "shared" + end) setting.shared_receives[side] = value == "1";
            if (name == "mappable" + end)
                setting.memory[side] = value == "1" ? MemoryKind::mappable : MemoryKind::ordinary;
            if (name == "rights" + end) setting.rights[side] = number(value);
        }
    }
    return setting;
}

Operation operation_of(const std::string& line) {
    Operation operation;
    Words words(line);
    for (std::string name, value; words.next(name, value);) {
        if (name == "id") operation.id = number(value);
        if (name == "side") operation.side = number(value) % kSides;
        if (name == "do") operation.kind = named<Kind>(kKindNames, value);
        if (name == "waits") operation.waits = true;
        if (name == "pair") operation.pair = number(value) % kMostPairs;
        if (name == "object") operation.object = number(value);
        if (name == "area") operation.area = number(value) % kAreas;
        if (name == "offset") operation.offset = number(value);
        if (name == "length") operation.length = number(value);
        if (name == "pieces") operation.pieces = number(value);
        if (name == "flags") operation.flags = number(value);
        if (name == "spoil") operation.spoil = named<Spoil>(kSpoilNames, value);
    }
    return operation;
}

}  // namespace

RequestKind request_kind(Kind kind) {
    switch (kind) {
        case Kind::send: return RequestKind::send;
        case Kind::write: return RequestKind::write;
        case Kind::read: return RequestKind::read;
        case Kind::bind: return RequestKind::bind;
        case Kind::invalidate: return RequestKind::invalidate;
        default: return RequestKind::receive;
    }
}

const char* name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::uint32_t most_pieces(const Setting& setting) { return setting.face == "Ndk" ? 32 : 16; }

std::vector<Piece> pieces_of(const Program& program, const Operation& operation) {
    if (operation.pieces == 0) return {};
    std::mt19937_64 random(bytes_seed(program, operation));
    std::vector<std::size_t> cuts{0, operation.length};
    for (unsigned i = 1; i < operation.pieces; ++i) cuts.push_back(random() % (operation.length + 1));
    std::sort(cuts.begin(), cuts.end());
    std::vector<Piece> pieces;
    std::size_t at = kGap;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        pieces.push_back({at, cuts[i + 1] - cuts[i]});
        at += pieces.back().length + kGap;
    }
    return pieces;
}

std::size_t extent_of(const std::vector<Piece>& pieces) {
    return pieces.empty() ? 0 : pieces.back().at + pieces.back().length + kGap;
}

std::uint64_t bytes_seed(const Program& program, const Operation& operation) {
    return program.seed * 1000 + operation.id;
}

std::uint64_t area_seed(const Program& program, unsigned side, unsigned area, std::uint32_t grant) {
    return ~program.seed * 1000 + grant * 16 + side * kAreas + area;
}

unsigned rights_of(const Program& program, unsigned side, unsigned region) {
    return region == 0 ? kAllRights : program.setting.rights[side];
}

std::string text_of(const Operation& operation) {
    std::ostringstream text;
    text << "id=" << operation.id << " side=" << operation.side << " do=" << name_of(operation.kind);
    const auto add = [&](const char* name, unsigned value) {
        if (value != 0) text << ' ' << name << '=' << value;
    };
    if (operation.waits) text << " waits";
    add("pair", operation.pair);
    add("object", operation.object);
    add("area", operation.area);
    add("offset", operation.offset);
    add("length", operation.length);
    add("pieces", operation.pieces);
    add("flags", operation.flags);
    if (operation.spoil != Spoil::none) text << " spoil=" << kSpoilNames[static_cast<std::size_t>(operation.spoil)];
    return text.str();
}

std::string text_of(const Program& program) {
    const Setting& setting = program.setting;
    std::ostringstream text;
    text << "seed=" << program.seed << " face=" << setting.face << " transport=" << setting.transport
         << " processes=" << setting.processes << " pairs=" << setting.pairs
         << " initiators=" << setting.initiator_depth << " receives=" << setting.receive_depth
         << " completions=" << setting.completion_depth << " teardown=" << setting.teardown;
    if (setting.world != World::plain) text << " world=" << kWorldNames[static_cast<std::size_t>(setting.world)];
    if (setting.wire_may_break) text << " wire-may-break";
    for (unsigned side = 0; side < kSides; ++side) {
        if (setting.abrupt[side]) text << " abrupt" << side << "=1";
        if (setting.polled[side]) text << " polled" << side << "=1";
        if (setting.shared_receives[side]) text << " shared" << side << "=1";
        if (setting.memory[side] == MemoryKind::mappable) text << " mappable" << side << "=1";
        text << " rights" << side << '=' << setting.rights[side];
    }
    text << '\n';
    for (const Operation& operation : program.operations) text << text_of(operation) << '\n';
    return text.str();
}

Program parse(const std::string& text) {
    Program program;
    std::istringstream lines(text);
    bool first = true;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (first)
            program.setting = setting_of(line, program.seed);
        else
            program.operations.push_back(operation_of(line));
        first = false;
    }
    if (first) throw std::runtime_error("no program: it is empty");
    return program;
}

}  // namespace opennd::modeled
