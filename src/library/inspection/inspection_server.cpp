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
#include "library/inspection/capture_request.h"
#include "library/inspection/file_desk.h"
#include "library/inspection/inspection_socket.h"
#include "platform/host/trace_proof.h"
#include "platform/process/clock.h"
#include "platform/process/signals.h"
#include "platform/thread/accept_turns.h"

namespace opennd {
namespace {

constexpr int kBacklog = 16;
constexpr std::chrono::seconds kPatienceWithVisitor{2};

// Waits for a reader for a while.
bool send_record(LocalSocket& visitor, std::string_view text) {
    for (;;) {
        const Status status = visitor.send(std::as_bytes(std::span(text)));
        if (status != Status::would_block) return ok(status);
        pollfd room{visitor.descriptor(), POLLOUT, 0};
        constexpr int kPatience_ms = std::chrono::milliseconds(kPatienceWithVisitor).count();
        if (::poll(&room, 1, kPatience_ms) <= 0) return false;
    }
}

void send_answer(LocalSocket& visitor, std::string_view answer) {
    if (!send_record(visitor, format("{}", answer.size()))) return;
    while (!answer.empty() && send_record(visitor, answer.substr(0, kRecordBytes)))
        answer.remove_prefix(std::min(answer.size(), kRecordBytes));
}

// The kernel has the last word (may_look). This is sooner, and costs nothing.
bool is_welcome(LocalSocket& visitor) {
    const auto identity = visitor.peer();
    return identity.ok() && (identity.value().user == UserMatch::own || identity.value().uid == 0);
}

// A visitor needs the rights of a debugger: the same user is not the same rights.
bool may_look(LocalSocket& visitor) {
    const auto identity = visitor.peer();
    if (identity.ok() && identity.value().pid == ::getpid()) return true;  // a process may look into itself
    const Result<TraceProof> proof = TraceProof::ask();
    if (!proof.ok()) {
        log(LogLevel::warn, "inspection: {}: a visitor cannot show that it may look into this process, and is left",
            name(proof.status()));
        return false;
    }
    if (!send_record(visitor, format("{}{}", kProve, proof.value().number()))) return false;
    std::array<std::byte, kMostQuestionBytes> room;
    const auto answer = receive_words(visitor, room, now() + kPatienceWithVisitor);
    return answer && proof.value().is_given_by(answer->text);
}

}  // namespace

class InspectionServer::Watch final : public AcceptTurns {
public:
    explicit Watch(InspectionServer& server) : AcceptTurns(server.loop_), server_(server) {}

private:
    Status accept_one() override { return server_.accept_one(); }

    InspectionServer& server_;
};

struct InspectionServer::Visit {
    InspectionServer& server;
    LocalSocket visitor;

    void answer(Words words) {
        const std::string_view text = words.text;
        const std::string_view first = text.substr(0, text.find(' '));
        const auto question = question_of(first);
        if (!question || !may_look(visitor))
            return;  // this version does not know the word, or the visitor has no right
        if (*question != Question::capture) return send_answer(visitor, server.report_(*question));
        if (!server.captures_.begin) return;
        if (words.descriptors.size() != 1)
            return send_answer(visitor,
                               capture_refused("the process that asks opens the file: it has an older OpenND"));
        capture(text.substr(std::min(first.size() + 1, text.size())), words.descriptors.front().take());
    }

    // Captures as long as the visitor stays: a capture that nobody waits for ends.
    void capture(std::string_view options, Descriptor desk) {
        bool begun = false;
        send_answer(visitor, server.captures_.begin(
                                 options, std::make_unique<VisitorFiles>(LocalSocket(std::move(desk))), begun));
        if (!begun) return;
        std::array<std::byte, kMostQuestionBytes> room;
        const bool asked = receive_words(visitor, room, std::nullopt).has_value();
        const std::string told = server.captures_.end();
        if (asked) send_answer(visitor, told);
    }

    static void* main(void* argument) {
        const std::unique_ptr<Visit> visit(static_cast<Visit*>(argument));
        try {
            std::array<std::byte, kMostQuestionBytes> room;
            if (auto words = receive_words(visit->visitor, room, now() + kPatienceWithVisitor))
                visit->answer(std::move(*words));
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

// Visitors of other users are hung up on before anything is made for them.
Status InspectionServer::accept_one() {
    if (answering_.load(std::memory_order_acquire) >= kMostAtOnce) return Status::insufficient_resources;
    Result<LocalSocket> accepted = listener_.accept();
    if (!accepted.ok()) return accepted.status();
    LocalSocket visitor = accepted.take();
    if (is_welcome(visitor)) answer_apart(std::move(visitor));
    return Status::success;
}

void InspectionServer::answer_apart(LocalSocket visitor) {
    std::unique_ptr<Visit> visit(new (std::nothrow) Visit{*this, std::move(visitor)});
    if (!visit) return;
    answering_.fetch_add(1, std::memory_order_acq_rel);
    QuietThread thread;
    if (ok(thread.start("opennd-inspect", &Visit::main, visit.get()))) {
        (void)visit.release();
        thread.detach();
    } else {
        answering_.fetch_sub(1, std::memory_order_acq_rel);
    }
}

}  // namespace opennd
