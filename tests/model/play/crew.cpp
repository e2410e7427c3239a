// SPDX-License-Identifier: MIT
//
// A worker has a channel: an octet says that it is ready, or was told to play. It ends with its master.
#include "model/play/crew.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "model/play/worker.h"

namespace opennd::modeled {
namespace {

constexpr std::int64_t kPatience = 90'000'000'000;  // more than a side has when all its waits run out

std::vector<std::string> settings_of(const Setting& setting) {
    std::vector<std::string> settings{"OPENND_TRANSPORT=" + setting.transport};
    if (setting.world == World::frames) settings.emplace_back("OPENND_SHM_PROCESS_VM=off");
    if (setting.world == World::impatient)
        settings.emplace_back("OPENND_NO_RECEIVE_MS=" + std::to_string(kImpatience_ms));
    return settings;
}

// The first of two settings of a name counts.
std::vector<std::string> environment(std::vector<std::string> settings) {
    for (char** variable = environ; *variable != nullptr; ++variable) settings.emplace_back(*variable);
    return settings;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

}  // namespace

Crew::Crew(std::string program, const Setting& setting)
    : program_(std::move(program)), settings_(settings_of(setting)) {
    for (unsigned i = 0; i < setting.processes; ++i)
        workers_.push_back({.sides = setting.processes == 1 ? "01" : std::to_string(i)});
}

Judgement Crew::run(const Program& program) {
    for (Worker& worker : workers_)
        if (worker.process < 0) start(worker);
    board_->reset(program);
    Judgement died;
    for (Worker& worker : workers_) {
        const char go = 'p';
        if (write(worker.channel, &go, 1) != 1) bury(worker, died);
    }
    const bool came = await(now_ns() + kPatience, died);
    Judgement judgement = judge(program, *board_);
    judgement.findings.insert(judgement.findings.begin(), died.findings.begin(), died.findings.end());
    if (!came || !judgement.findings.empty()) dismiss();  // the next one begins with new processes
    return judgement;
}

void Crew::start(Worker& worker) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("no channel for a worker");
    // The descriptors that a worker knows may be taken here.
    const int channel = fcntl(ends[1], F_DUPFD, 10), board = fcntl(board_.descriptor(), F_DUPFD, 10);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel, kCommands);
    posix_spawn_file_actions_adddup2(&actions, board, kBoard);
    posix_spawn_file_actions_addclose(&actions, channel);
    posix_spawn_file_actions_addclose(&actions, board);
    std::vector<std::string> arguments{program_, "--worker", worker.sides};
    auto variables = environment(settings_);
    const int failed = posix_spawn(&worker.process, program_.c_str(), &actions, nullptr, pointers(arguments).data(),
                                   pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    close(channel);
    close(board);
    close(ends[1]);
    worker.channel = ends[0];
    char ready = 0;
    if (failed != 0 || read(worker.channel, &ready, 1) != 1)
        throw std::runtime_error("cannot start a worker: " + program_);
}

bool Crew::await(std::int64_t deadline, Judgement& judgement) {
    std::vector<bool> done(workers_.size());
    for (;;) {
        std::vector<pollfd> entries;
        std::vector<std::size_t> who;
        for (std::size_t i = 0; i < workers_.size(); ++i)
            if (!done[i] && workers_[i].process > 0) {
                entries.push_back({.fd = workers_[i].channel, .events = POLLIN, .revents = 0});
                who.push_back(i);
            }
        if (entries.empty()) return true;
        const std::int64_t left = (deadline - now_ns()) / 1'000'000;
        if (left <= 0 || poll(entries.data(), entries.size(), static_cast<int>(left)) == 0) {
            judgement.findings.push_back({"a process hangs", "a process hangs", ~0u});
            return false;
        }
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].revents == 0) continue;
            char ready = 0;
            if (read(entries[i].fd, &ready, 1) == 1)
                done[who[i]] = true;
            else
                bury(workers_[who[i]], judgement);
        }
    }
}

// A death is a finding, unless the other side killed it.
void Crew::bury(Worker& worker, Judgement& judgement) {
    int status = 0;
    waitpid(worker.process, &status, 0);
    worker.process = -1;
    close(worker.channel);
    for (const char side : worker.sides) board_->dead[side - '0'] = true;
    board_->bell.ring();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return;
    const std::string how = WIFSIGNALED(status) ? std::string("by signal ") + strsignal(WTERMSIG(status))
                                                : "with code " + std::to_string(WEXITSTATUS(status));
    judgement.findings.push_back({"a process died", "a process died " + how, ~0u});
}

void Crew::dismiss() {
    for (Worker& worker : workers_) {
        if (worker.process < 0) continue;
        ::kill(worker.process, SIGKILL);
        waitpid(worker.process, nullptr, 0);
        close(worker.channel);
        worker.process = -1;
    }
}

}  // namespace opennd::modeled
