// SPDX-License-Identifier: MIT
// See inspected_process.h.
#include "library/inspection/inspected_process.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <span>

#include "base/fork_step.h"
#include "library/inspection/capture_request.h"
#include "library/inspection/checked_answer.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"
#include "platform/host/trace_proof.h"
#include "platform/process/clock.h"
#include "platform/thread/condition.h"

namespace opennd {
namespace {

constexpr std::chrono::seconds kPatienceForAnswer{3};

// An answer up to this size needs no place among the long ones.
constexpr std::size_t kShortBytes = 256 * 1024;

// The octets of long answers that are read and checked at a time, so that many processes do not take all memory together.
class LongAnswers {
public:
    explicit LongAnswers(const LongAnswers* /*parents*/) {}

    // Waits for a place. timed_out: there was none in time.
    Status enter(std::size_t bytes, SteadyTime until) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        while (bytes_ != 0 && bytes_ + bytes > kMostAnswerBytes)
            if (!left_.wait_until(mutex_, until)) return Status::timed_out;
        bytes_ += bytes;
        return Status::success;
    }
    void leave(std::size_t bytes) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        bytes_ -= bytes;
        left_.notify_all();
    }

private:
    Mutex mutex_;  // nothing is called under it
    Condition left_;
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

constinit OfProcess<LongAnswers> long_answers_of_process;
[[maybe_unused]] const bool long_answers_listed = long_answers_of_process.list();

// One answer, with its place.
class Answer {
public:
    // `socket` is one of `process`, and outlives it.
    Answer(LocalSocket& socket, pid_t process) : socket_(socket), process_(process) {}
    ~Answer() {
        if (place_bytes_ != 0) long_answers_of_process.get().leave(place_bytes_);
    }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    Result<std::string> read() {
        Result<std::string_view> announced = record();
        if (announced.ok() && announced.value().starts_with(kProve)) {
            if (const Status given = prove(announced.value().substr(kProve.size())); !ok(given)) return given;
            announced = record();
        }
        if (!announced.ok()) return announced.status();
        const std::optional<std::size_t> bytes = number_in(announced.value());
        if (!bytes || *bytes > kMostAnswerBytes) return Status::invalid_parameter;
        if (*bytes > kShortBytes) {
            if (const Status place = long_answers_of_process.get().enter(*bytes, until_); !ok(place)) return place;
            place_bytes_ = *bytes;
        }
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
    // That this process may trace the other one. An older version does not ask.
    Status prove(std::string_view number) {
        const std::optional<std::size_t> descriptor = number_in(number);
        if (!descriptor || *descriptor > std::numeric_limits<int>::max()) return Status::invalid_parameter;
        const std::string proof = give_trace_proof(process_, static_cast<int>(*descriptor));
        if (proof.empty()) return Status::access_violation;
        const Status sent = socket_.send(std::as_bytes(std::span(proof)));
        return sent == Status::disconnected ? Status::access_violation : sent;
    }
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
    const pid_t process_;
    const SteadyTime until_ = now() + kPatienceForAnswer;  // for all of it: a process may send an octet at a time
    std::size_t place_bytes_ = 0;                          // among the long answers
    std::array<std::byte, kRecordBytes> buffer_;
};

// The name alone proves nothing: any process may take it.
Result<LocalSocket> visit(pid_t process, std::string_view words, std::span<const int> descriptors = {}) {
    Result<LocalSocket> connected = LocalSocket::connect(inspection_socket(process));
    if (!connected.ok()) return connected.status() == Status::would_block ? Status::timed_out : connected.status();
    LocalSocket socket = connected.take();
    const auto identity = socket.peer();
    if (!identity.ok() || identity.value().pid != process) return Status::connection_refused;
    const Status asked = socket.send(std::as_bytes(std::span(words)), descriptors);
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
    Answer answer(visited, process);
    const Result<std::string> told = answer.read();
    if (!told.ok()) return told.status();
    const auto identity = visited.peer();
    return identity.ok() ? checked_answer(told.value(), process, identity.value().uid) : identity.status();
}

Result<ForeignCapture> ForeignCapture::begin(pid_t process, std::string_view text, std::string& answer) {
    std::string fault;
    const auto options = parse_capture_request(text, fault);
    if (!options) {
        answer = capture_refused(fault);
        return ForeignCapture(process);
    }
    auto opened = FileDesk::open(*options, process);
    if (!opened.ok()) return opened.status();
    ForeignCapture capture(process);
    capture.desk_ = opened.take();
    const int desk = capture.desk_->far_end();
    Result<LocalSocket> socket = visit(process, format("{} {}", word(Question::capture), text), std::span(&desk, 1));
    if (!socket.ok()) return socket.status();
    capture.socket_ = socket.take();
    Result<std::string> told = capture.answer();
    if (!told.ok()) return told.status();
    answer = told.take();
    return capture;
}

Result<std::string> ForeignCapture::end() {
    constexpr std::string_view kEnd = "end";
    if (!desk_ || !ok(socket_.send(std::as_bytes(std::span(kEnd))))) return Status::disconnected;
    Result<std::string> told = answer();
    return told.status() == Status::access_violation ? Status::disconnected : told;
}

Result<std::string> ForeignCapture::answer() {
    Result<std::string> told = Answer(socket_, process_).read();
    if (told.ok() && bounded_json(told.value()).is_null()) return Status::invalid_parameter;
    return told;
}

}  // namespace opennd
