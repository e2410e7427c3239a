// SPDX-License-Identifier: MIT
// See inspected_process.h.
#include "library/inspection/inspected_process.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <span>

#include "platform/descriptor/local_names.h"
#include "platform/descriptor/local_socket.h"
#include "platform/process/clock.h"

namespace opennd {
namespace {

constexpr std::chrono::seconds kPatienceForAnswer{3};

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

class Answer {
public:
    // `socket` outlives it.
    explicit Answer(LocalSocket& socket) : socket_(socket) {}

    Result<std::string> read() {
        Result<std::string_view> announced = record();
        if (!announced.ok()) return announced.status();
        const std::optional<std::size_t> bytes = number_in(announced.value());
        if (!bytes || *bytes > kMostAnswerBytes) return Status::invalid_parameter;
        std::string text;
        while (text.size() < *bytes) {
            const Result<std::string_view> part = record();
            if (!part.ok()) return part.status();
            text += part.value();
        }
        if (text.size() != *bytes) return Status::invalid_parameter;
        return text;
    }

private:
    Result<std::string_view> record() {
        for (;;) {
            Result<LocalSocket::Packet> packet = socket_.receive(buffer_);
            if (packet.ok())
                return std::string_view(reinterpret_cast<const char*>(buffer_.data()), packet.value().bytes);
            if (packet.status() == Status::disconnected) return Status::access_violation;  // hung up on
            if (packet.status() != Status::would_block) return packet.status();
            pollfd news{socket_.descriptor(), POLLIN, 0};
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - now()).count();
            if (left <= 0 || ::poll(&news, 1, static_cast<int>(left)) <= 0) return Status::timed_out;
        }
    }

    LocalSocket& socket_;
    const SteadyTime until_ = now() + kPatienceForAnswer;  // for all of it: a process may send an octet at a time
    std::array<std::byte, kRecordBytes> buffer_;
};

// The name alone proves nothing: any process may take it.
Result<LocalSocket> visit(pid_t process, std::string_view words) {
    Result<LocalSocket> connected = LocalSocket::connect(inspection_socket(process));
    if (!connected.ok()) return connected.status() == Status::would_block ? Status::timed_out : connected.status();
    LocalSocket socket = connected.take();
    const auto identity = socket.peer();
    if (!identity.ok() || identity.value().pid != process) return Status::connection_refused;
    const Status asked = socket.send(std::as_bytes(std::span(words)));
    if (!ok(asked)) return asked == Status::disconnected ? Status::access_violation : asked;  // hung up on
    return socket;
}

}  // namespace

std::vector<pid_t> inspected_processes() {
    std::vector<pid_t> processes;
    for (const std::string& name : local_names(kInspectionPrefix)) {
        const auto number = number_in(std::string_view(name).substr(kInspectionPrefix.size()));
        if (number && inspection_socket(static_cast<pid_t>(*number)) == name)
            processes.push_back(static_cast<pid_t>(*number));
    }
    std::ranges::sort(processes);
    return processes;
}

Result<std::string> ask_process(pid_t process, Question question) {
    Result<LocalSocket> socket = visit(process, word(question));
    if (!socket.ok()) return socket.status();
    LocalSocket visited = socket.take();
    return Answer(visited).read();
}

Result<ForeignCapture> ForeignCapture::begin(pid_t process, std::string_view options, std::string& answer) {
    Result<LocalSocket> socket = visit(process, format("{} {}", word(Question::capture), options));
    if (!socket.ok()) return socket.status();
    ForeignCapture capture(socket.take());
    Result<std::string> told = Answer(capture.socket_).read();
    if (!told.ok()) return told.status();
    answer = told.take();
    return capture;
}

Result<std::string> ForeignCapture::end() {
    constexpr std::string_view kEnd = "end";
    if (!ok(socket_.send(std::as_bytes(std::span(kEnd))))) return Status::disconnected;
    Result<std::string> told = Answer(socket_).read();
    return told.status() == Status::access_violation ? Status::disconnected : told;
}

}  // namespace opennd
