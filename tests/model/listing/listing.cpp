// SPDX-License-Identifier: MIT
//
// nd2.h, which is part of what is written, has the side; here is what it does.
#include "model/listing/listing.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace opennd::modeled {
namespace {

using namespace conformance;

std::string side_source() {
    std::ifstream file(OPENND_MODEL_LISTING);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error("cannot read " OPENND_MODEL_LISTING);
    return text.str();
}

template <typename Bit, std::size_t kCount>
std::string bits(unsigned set, const Bit (&names)[kCount]) {
    std::string text;
    for (const auto& [bit, name] : names)
        if ((set & bit) != 0) text += (text.empty() ? "" : " | ") + std::string(name);
    return text.empty() ? "0" : text;
}

struct Bit {
    unsigned bit;
    const char* name;
};

std::string flags_of(const Operation& operation) {
    constexpr Bit kNames[] = {{kSilent, "ND_OP_FLAG_SILENT_SUCCESS"},          {kReadFence, "ND_OP_FLAG_READ_FENCE"},
                              {kSolicit, "ND_OP_FLAG_SEND_AND_SOLICIT_EVENT"}, {kInline, "ND_OP_FLAG_INLINE"},
                              {kAllowRead, "ND_OP_FLAG_ALLOW_READ"},           {kAllowWrite, "ND_OP_FLAG_ALLOW_WRITE"}};
    return bits(operation.flags, kNames);
}

std::string rights_text(unsigned rights) {
    constexpr Bit kNames[] = {{kLocalWrite, "ND_MR_FLAG_ALLOW_LOCAL_WRITE"},
                              {kRemoteRead, "ND_MR_FLAG_ALLOW_REMOTE_READ"},
                              {kRemoteWrite, "ND_MR_FLAG_ALLOW_REMOTE_WRITE"}};
    return bits(rights, kNames);
}

std::string post_of(const Program& program, std::size_t index) {
    const Operation& operation = program.operations[index];
    constexpr const char* kSpoils[] = {"none", "stale", "outside", "token", "beyond", "foreign", "absent"};
    std::ostringstream text;
    text << "{.operation = " << index << ", .pair = " << operation.pair
         << ", .region = " << operation.object % kRegions;
    const std::vector<Piece> pieces = pieces_of(program, operation);
    if (!pieces.empty()) {
        text << ", .pieces = {";
        for (std::size_t i = 0; i < pieces.size(); ++i)
            text << (i == 0 ? "" : ", ") << '{' << pieces[i].at << ", " << pieces[i].length << '}';
        text << '}';
    }
    if (operation.flags != 0) text << ", .flags = " << flags_of(operation);
    if (operation.kind == Kind::read || operation.kind == Kind::write)
        text << ", .area = " << operation.area << ", .place = " << operation.place();
    if (operation.is_spoiled()) text << ", .spoil = Spoil::" << kSpoils[static_cast<std::size_t>(operation.spoil)];
    text << '}';
    return text.str();
}

std::string call_of(const Program& program, std::size_t index) {
    const Operation& operation = program.operations[index];
    const auto with = [](const char* name, const std::string& arguments) {
        return std::string(name) + '(' + arguments + ')';
    };
    const std::string post = post_of(program, index), pair = std::to_string(operation.pair),
                      object = std::to_string(operation.object), length = std::to_string(operation.length);
    switch (operation.kind) {
        case Kind::receive: return with("receive", post);
        case Kind::send: return with(operation.has(kImmediate) ? "send_with_immediate" : "send", post);
        case Kind::write: return with("write", post);
        case Kind::read: return with("read", post);
        case Kind::bind: return with("bind", post + ", " + object);
        case Kind::invalidate: return with("invalidate", post + ", " + object);
        case Kind::poll: return with("poll", length);
        case Kind::drain: return "drain()";
        case Kind::arm: return with("arm", object);
        case Kind::cancel: return "cancel()";
        case Kind::resize: return with("resize", length);
        case Kind::modify: return with("modify", length);
        case Kind::await_end: return with("await_end", pair);
        case Kind::flush: return with("flush", pair);
        case Kind::disconnect: return with("disconnect", pair);
        case Kind::release_queue_pair: return with("release_queue_pair", pair);
        case Kind::release_connector: return with("release_connector", pair);
        case Kind::withdraw: return with("withdraw", object);
        case Kind::enroll: return with("enroll", object);
        case Kind::release_window: return with("release_window", object);
        case Kind::kill: break;
    }
    return "finish()  /* here the other side's process is killed */";
}

}  // namespace

std::string listing(const Program& program) {
    const Setting& setting = program.setting;
    std::ostringstream text;
    text << side_source() << "\n// c++ -std=c++20 program.cpp $(pkg-config --cflags --libs opennd) -pthread\n"
         << "int main() {\n    need(opennd_transport_select(\"" << setting.transport
         << "\"), \"opennd_transport_select\");\n    need(NdStartup(), \"NdStartup\");\n    Stage stage{.pairs = "
         << setting.pairs << "};\n    const std::vector<unsigned> sides{";
    for (const Operation& operation : program.operations) text << operation.side << ", ";
    text << "};\n";
    for (unsigned side = 0; side < kSides; ++side) {
        text << "    std::thread thread" << side << "([&] {\n        Side side(stage, " << side << ", {"
             << setting.initiator_depth << ", " << setting.receive_depth << ", " << setting.completion_depth << ", "
             << (setting.shared_receives[side] ? "true" : "false") << ", "
             << (setting.memory[side] == MemoryKind::mappable ? "true" : "false") << ", {" << rights_text(kAllRights)
             << ",\n            " << rights_text(setting.rights[side]) << "}});\n        side.meet();\n";
        for (std::size_t i = 0; i < program.operations.size(); ++i) {
            const Operation& operation = program.operations[i];
            if (operation.side != side) continue;
            if (operation.waits) text << "        stage.wait_for_those_before(" << i << ", sides, " << side << ");\n";
            text << "        side." << call_of(program, i) << ";\n        stage.returned[" << i << "] = true;\n";
        }
        text << "        side.finish();\n    });\n";
    }
    text << "    thread0.join();\n    thread1.join();\n    return NdCleanup() < 0;\n}\n";
    return text.str();
}

}  // namespace opennd::modeled
