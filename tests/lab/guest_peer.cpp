// SPDX-License-Identifier: MIT
//
// Read guest_peer.h first.
#include "lab/guest_peer.h"

#include <sys/wait.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace opennd::lab {
namespace {

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr ? text : "";
}

std::FILE* start(const std::string& command) {
    std::FILE* const output = popen(command.c_str(), "re");
    if (output == nullptr) throw std::runtime_error("cannot start " + command);
    return output;
}

std::string to_port(std::uint16_t port) { return " " + std::to_string(port) + " "; }

}  // namespace

std::string no_lab() {
    for (const char* name : {"OPENND_LAB_EXEC", "OPENND_LAB_PEER", "OPENND_TEST_ADDRESS"})
        if (variable(name).empty()) return std::string(name) + " is not set: tests/lab/run does it";
    return {};
}

std::string guest_address() { return variable("OPENND_LAB_PEER"); }

std::string in_guest(const std::string& command) {
    std::FILE* const output = start(variable("OPENND_LAB_EXEC") + " " + command);
    std::string all;
    for (int next = std::fgetc(output); next != EOF; next = std::fgetc(output)) all += static_cast<char>(next);
    pclose(output);
    return all;
}

GuestPeer::GuestPeer(const std::string& arguments)
    : output_(start(variable("OPENND_LAB_EXEC") + " " OPENND_VERBS_PEER " " + arguments)) {}

GuestPeer::GuestPeer(GuestPeer&& other) noexcept : output_(std::exchange(other.output_, nullptr)) {}

GuestPeer::~GuestPeer() { (void)exit_code(); }

GuestPeer GuestPeer::listening(std::uint16_t port, bool accepts) {
    GuestPeer peer("listen " + guest_address() + to_port(port) + (accepts ? "accept" : "reject"));
    if (peer.line() != "listening") throw std::runtime_error("the peer in the guest does not listen");
    return peer;
}

GuestPeer GuestPeer::connecting(std::uint16_t port, unsigned bytes, unsigned reads) {
    return GuestPeer("connect " + variable("OPENND_TEST_ADDRESS") + to_port(port) + std::to_string(bytes) + " " +
                     std::to_string(reads));
}

std::string GuestPeer::line() {
    std::string text;
    for (int next = std::fgetc(output_); next != EOF && next != '\n'; next = std::fgetc(output_))
        text += static_cast<char>(next);
    return text;
}

int GuestPeer::exit_code() {
    if (output_ == nullptr) return -1;
    const int status = pclose(std::exchange(output_, nullptr));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace opennd::lab
