// SPDX-License-Identifier: MIT
//
// fork and exec by way of posix_spawn, which is safe in a process that has threads.
#include "interop/peer_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

namespace opennd::interop {
namespace {

// This process's environment with the transport pinned.
std::vector<std::string> pinned_environment(const std::string& transport) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (std::string(*variable).rfind("OPENND_TRANSPORT=", 0) != 0) variables.emplace_back(*variable);
    }
    variables.push_back("OPENND_TRANSPORT=" + transport);
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

}  // namespace

PeerProcess::PeerProcess(const char* program, const std::vector<std::string>& given, const std::string& transport) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the peer's output");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<std::string> arguments{program};
    arguments.insert(arguments.end(), given.begin(), given.end());
    auto environment = pinned_environment(transport);
    const int failed =
        posix_spawn(&process_, program, &actions, nullptr, pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (failed != 0) {
        close(output_);
        throw std::runtime_error(std::string("cannot start ") + program);
    }
}

PeerProcess::~PeerProcess() {
    if (process_ > 0) kill();
    close(output_);
}

std::string PeerProcess::line() {
    std::string text;
    const auto end = support::Clock::now() + support::kDeadline;
    for (;;) {
        const auto left = std::chrono::duration_cast<support::milliseconds>(end - support::Clock::now()).count();
        pollfd entry{.fd = output_, .events = POLLIN, .revents = 0};
        char next = 0;
        if (left <= 0 || poll(&entry, 1, static_cast<int>(left)) != 1 || read(output_, &next, 1) != 1) return "";
        if (next == '\n') return text;
        text += next;
    }
}

support::Clock::time_point PeerProcess::kill() {
    ::kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
    return support::Clock::now();
}

void PeerProcess::stop() {
    ::kill(process_, SIGSTOP);
    waitpid(process_, nullptr, WUNTRACED);
}

void PeerProcess::go_on() { ::kill(process_, SIGCONT); }

int PeerProcess::exit_code() {
    int status = 0;
    const bool ended = support::wait_until([&] { return waitpid(process_, &status, WNOHANG) == process_; });
    if (!ended) return -1;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace opennd::interop
