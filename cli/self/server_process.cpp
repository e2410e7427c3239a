// SPDX-License-Identifier: MIT
//
// A server in a process of its own. Read self_server.h first.
#include "self/self_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace nd {
namespace {

std::runtime_error system_error(const std::string& attempted) {
    return std::runtime_error("cannot " + attempted + ": " + std::strerror(errno));
}

std::string describe_end(int status) {
    if (WIFSIGNALED(status)) return std::string("was ended by signal ") + strsignal(WTERMSIG(status));
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

[[noreturn]] void become_server(const std::vector<std::string>& arguments, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent died before the line above
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv("/proc/self/exe", argv.data());
    _exit(127);
}

class ServerProcess : public SelfServer {
public:
    ServerProcess(std::vector<std::string> arguments, const SocketAddress& host) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw system_error("make a pipe for the server process");
        arguments.insert(arguments.begin(), "nd");
        arguments.insert(arguments.end(), {"--ready-descriptor", std::to_string(ends[1])});
        const pid_t parent = getpid();
        child_ = fork();
        if (child_ == 0) {
            fcntl(ends[1], F_SETFD, 0);
            become_server(arguments, parent);
        }
        close(ends[1]);
        if (child_ > 0) address_ = host.with_port(read_port(ends[0]));
        close(ends[0]);
        if (child_ < 0) throw system_error("start a server process");
        if (address_.port() == 0)
            throw std::runtime_error("the server process " + reap() +
                                     " before it was ready; it may have said why above");
    }

    ~ServerProcess() override {
        if (child_ <= 0) return;
        kill(child_, SIGKILL);  // it ignores an interruption
        reap();
    }

    SocketAddress address() const override { return address_; }

    // Having lost its client, a server that lives soon ends by itself.
    std::string early_death() override {
        for (int i = 0; i < 100; i++, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
            int status = 0;
            if (waitpid(child_, &status, WNOHANG) != child_) continue;
            child_ = -1;
            return WIFSIGNALED(status) ? "the server process " + describe_end(status) : std::string();
        }
        return {};
    }

    void finish() override {
        const std::string end = reap();
        if (end != describe_end(0)) throw std::runtime_error("the server process " + end);
    }

private:
    // 0 if the child ends without telling one.
    static std::uint16_t read_port(int descriptor) {
        std::string text;
        char piece[16];
        ssize_t count = 0;
        while ((count = read(descriptor, piece, sizeof piece)) > 0 || (count < 0 && errno == EINTR))
            if (count > 0) text.append(piece, static_cast<std::size_t>(count));
        return text.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(std::stoul(text));
    }

    std::string reap() {
        int status = 0;
        while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
        return describe_end(status);
    }

    pid_t child_ = -1;
    SocketAddress address_;
};

}  // namespace

std::unique_ptr<SelfServer> start_server_process(std::vector<std::string> arguments, const SocketAddress& host) {
    return std::make_unique<ServerProcess>(std::move(arguments), host);
}

void report_ready(int descriptor, const SocketAddress& listening) {
    const std::string text = std::to_string(listening.port());
    if (write(descriptor, text.data(), text.size()) < 0) throw system_error("report the port to the parent process");
    close(descriptor);
}

}  // namespace nd
