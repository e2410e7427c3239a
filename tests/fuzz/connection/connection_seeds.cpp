// SPDX-License-Identifier: MIT
// Scripts of peers in order: see connection_seeds.h and connection_fuzzer.cpp, which reads them.
#include "fuzz/connection/connection_seeds.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/connection/connection_steps.h"
#include "vectors/iwarp_frames.h"

namespace opennd::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Octets that Script::number() reads as 0, 8, 4096 and so on: places in Script::kEdges.
constexpr std::uint8_t k0 = 0, k8 = 3, k64 = 6, k4096 = 12;
constexpr std::uint8_t kShared = 2, kRegion = 0, kWindow = 2, kVault = 3;  // areas, and tokens

constexpr std::uint8_t step(ConnectionStep each) { return static_cast<std::uint8_t>(each); }

// `plan`: receives, 0x08 for receipts, 0x40 for requests of the side's own, 0x20 for a peer that is no OpenND, 0x90 for a flush.
Bytes in_mode(ConnectionMode mode, std::uint8_t portions, std::uint8_t plan, const Bytes& rest) {
    Bytes script{static_cast<std::uint8_t>(mode), portions, plan, k4096};
    script.insert(script.end(), rest.begin(), rest.end());
    return script;
}

Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

void write_script(const std::filesystem::path& folder, const std::string& name, const Bytes& script) {
    std::filesystem::create_directories(folder);
    std::ofstream stream(folder / name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(script.data()), static_cast<std::streamsize>(script.size()));
}

Bytes frames(std::initializer_list<vectors::Frame> given) {
    Bytes all;
    for (const vectors::Frame& frame : given)
        for (const std::byte octet : vectors::octets(frame.hex)) all.push_back(std::to_integer<std::uint8_t>(octet));
    return all;
}

}  // namespace

void write_connection_seeds(const std::filesystem::path& to) {
    using enum ConnectionStep;
    const Bytes message{step(send), 0, k64}, part{step(send), 4, k8}, solicited{step(send), 2, k8};
    const Bytes put{step(write), kRegion, kShared, k0, k64, 1};
    const Bytes put_in_window{step(write), kWindow, kVault, k4096, k8, 1};
    const Bytes get{step(read), k4096, kRegion, kShared, k0}, probe{step(fence), kRegion, kShared, k0};
    const Bytes reply{step(answer), k64, 1, 0};
    const Bytes take_window{step(send), 1, k8, kWindow};
    const auto messages = [&](const std::string& name, std::uint8_t portions, std::uint8_t plan, const Bytes& steps) {
        write_script(to, name, in_mode(ConnectionMode::messages, portions, plan, steps));
    };
    messages("messages", 0, 4, joined({message, part, message, solicited}));
    messages("messages_in_portions", 9, 4, joined({message, part, message, solicited}));
    messages("writes_and_reads", 0, 1, joined({put, get, put_in_window, probe, message}));
    messages("answers", 0, 0x44, joined({probe, reply, message}));
    messages("answers_of_another_maker", 0, 0x64, joined({probe, reply, message}));
    messages("a_window_taken_away", 0, 2, joined({put_in_window, take_window, put_in_window}));
    messages("no_receive", 0, 0, joined({put, message}));
    messages("receipts", 0, 0x4c, joined({message, {step(receipt), k0}, {step(receipt), k64}, message}));
    messages("receipts_in_sends", 0, 0x4c,
             joined({message, {step(send), 0x80, k64, k0}, {step(send), 0x80, k64, k4096}}));
    const Bytes notice{step(immediate), 0, k8};
    messages("immediate_data", 0, 0x14, joined({message, put, notice, {step(send), 0x40, k64, k8}}));
    messages("immediate_data_malformed", 0, 0x14, joined({put, {step(immediate), 0x43, k8}}));
    messages("immediate_data_not_agreed", 0, 4, joined({put, notice}));
    messages("flushed", 0, 0x95, joined({probe, message, put}));
    messages("again", 0, 8, joined({message, {step(again), 1, 1}, message}));
    const auto opened = {vectors::kRequest, vectors::kRtrWrite, vectors::kSend};
    write_script(to, "handshake", in_mode(ConnectionMode::handshake, 0, 2, frames(opened)));
    write_script(to, "handshake_in_portions", in_mode(ConnectionMode::handshake, 5, 2, frames(opened)));
    write_script(to, "stream", in_mode(ConnectionMode::stream, 3, 2, frames({vectors::kRtrWrite, vectors::kSend})));
    write_script(to, "terminated",
                 in_mode(ConnectionMode::stream, 0, 2, frames({vectors::kSend, vectors::kTerminateCrc})));
    write_script(to, "silence", in_mode(ConnectionMode::stream, 0, 2, {}));
}

}  // namespace opennd::fuzz
