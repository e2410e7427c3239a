// SPDX-License-Identifier: MIT
// See inspection_server.h.
#include "library/inspection/inspection_server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <span>

#include "base/log.h"
#include "base/status_names.h"
#include "platform/process/clock.h"
#include "platform/process/quiet_thread.h"

namespace opennd {
namespace {

constexpr int kBacklog = 16;
constexpr int kPatienceWithVisitor_ms = 2000, kNoLimit = -1;
constexpr std::chrono::milliseconds kTakeAgain{10};

// Waits for a reader for a while.
bool send_record(LocalSocket& visitor, std::string_view text) {
    for (;;) {
        const Status status = visitor.send(std::as_bytes(std::span(text)));
        if (status != Status::would_block) return ok(status);
        pollfd room{visitor.descriptor(), POLLOUT, 0};
        if (::poll(&room, 1, kPatienceWithVisitor_ms) <= 0) return false;
    }
}

// The words of the visitor. Nothing: none came in time, or it hung up.
std::optional<std::string> receive_words(LocalSocket& visitor, int patience_ms) {
    std::array<std::byte, kMostQuestionBytes> room;
    for (;;) {
        const Result<LocalSocket::Packet> packet = visitor.receive(room);
        if (packet.ok()) return std::string(reinterpret_cast<const char*>(room.data()), packet.value().bytes);
        if (packet.status() != Status::would_block) return std::nullopt;
        pollfd news{visitor.descriptor(), POLLIN, 0};
        if (::poll(&news, 1, patience_ms) == 0) return std::nullopt;
    }
}

void send_answer(LocalSocket& visitor, std::string_view answer) {
    if (!send_record(visitor, format("{}", answer.size()))) return;
    while (!answer.empty() && send_record(visitor, answer.substr(0, kRecordBytes)))
        answer.remove_prefix(std::min(answer.size(), kRecordBytes));
}

// Root sees every process anyhow.
bool is_welcome(LocalSocket& visitor) {
    const auto identity = visitor.peer();
    return identity.ok() && (identity.value().user == UserMatch::own || identity.value().uid == 0);
}

}  // namespace

class InspectionServer::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(InspectionServer& server) : server_(server) {}
    void on_ready(std::uint32_t) override { server_.on_visitors(); }

private:
    InspectionServer& server_;
};

struct InspectionServer::Visit {
    InspectionServer& server;
    LocalSocket visitor;

    void answer(std::string_view words) {
        const std::string_view first = words.substr(0, words.find(' '));
        const auto question = question_of(first);
        if (!question) return;  // this version does not know the word
        if (*question != Question::capture) return send_answer(visitor, server.report_(*question));
        if (server.captures_.begin) capture(words.substr(std::min(first.size() + 1, words.size())));
    }

    // As long as the visitor stays: a capture that nobody waits for ends.
    void capture(std::string_view options) {
        bool begun = false;
        send_answer(visitor, server.captures_.begin(options, begun));
        if (!begun) return;
        const bool asked = receive_words(visitor, kNoLimit).has_value();
        const std::string told = server.captures_.end();
        if (asked) send_answer(visitor, told);
    }

    static void* main(void* argument) {
        const std::unique_ptr<Visit> visit(static_cast<Visit*>(argument));
        try {
            if (const auto words = receive_words(visit->visitor, kPatienceWithVisitor_ms)) visit->answer(*words);
        } catch (const std::bad_alloc&) {
            log(LogLevel::warn, "inspection: there is no memory for the report; the visitor gets none");
        }
        visit->server.answering_.fetch_sub(1, std::memory_order_acq_rel);
        return nullptr;
    }
};

void InspectionServer::start() {
    const Held lock(mutex_);
    if (started_) return;
    started_ = true;
    Status status = Status::no_memory;
    try {
        status = listen();
    } catch (const std::bad_alloc&) {
        status = Status::no_memory;
    }
    if (ok(status)) return;
    listener_ = LocalListener();  // visitors are refused instead of left waiting
    log(LogLevel::info, "inspection: this process answers no `nd ps`: {}", name(status));
}

Status InspectionServer::listen() {
    Result<LocalListener> bound = LocalListener::bind(inspection_socket(::getpid()));
    if (!bound.ok()) return bound.status();
    listener_ = bound.take();
    if (const Status status = listener_.listen(kBacklog); !ok(status)) return status;
    return loop_.add(listener_.descriptor(), EventLoop::kArrival, make_ref<Watch>(*this));
}

// Without a descriptor for a visitor it looks again after a while: the service thread must not spin until there is one.
void InspectionServer::on_visitors() {
    for (;;) {
        Result<LocalSocket> accepted = listener_.accept();
        if (accepted.status() == Status::would_block) return;
        if (!accepted.ok()) {
            loop_.schedule(now() + kTakeAgain, [this] { on_visitors(); });
            return;
        }
        LocalSocket visitor = accepted.take();
        if (is_welcome(visitor)) answer_apart(std::move(visitor));
    }
}

void InspectionServer::answer_apart(LocalSocket visitor) {
    if (answering_.fetch_add(1, std::memory_order_acq_rel) < kMostAtOnce) {
        std::unique_ptr<Visit> visit(new (std::nothrow) Visit{*this, std::move(visitor)});
        QuietThread thread;
        if (visit && ok(thread.start("opennd-inspect", &Visit::main, visit.get()))) {
            (void)visit.release();
            thread.detach();
            return;
        }
    }
    answering_.fetch_sub(1, std::memory_order_acq_rel);
}

}  // namespace opennd
