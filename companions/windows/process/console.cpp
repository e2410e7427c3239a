// SPDX-License-Identifier: MIT
// SetConsoleCtrlHandler. The handler of the signals writes the signal's number to a pipe; a thread that reads it starts
// a thread for each, which calls the program's functions.
#include "win32/console.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "win32/handles.h"
#include "win32/threads.h"
#include "windows/last_error.h"

namespace opennd::windows {
namespace {

constinit int to_console = -1;  // the pipe's end for writing, for the signals' handler; set before it is

constinit pid_t console_of = 0;  // the process that has the thread; set with the pipe

// A child of fork shares the pipe and has no thread: the signal ends the child, and the parent hears nothing of it.
void on_signal(int signal) {
    if (getpid() != console_of) {
        struct sigaction usual {};
        usual.sa_handler = SIG_DFL;
        sigaction(signal, &usual, nullptr);
        raise(signal);
        return;
    }
    const int before = errno;
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = write(to_console, &number, 1);  // a full pipe has thousands already
    errno = before;
}

class Console {
public:
    static Console& instance() {
        static auto* const console = new Console;  // its thread runs until the process ends
        return *console;
    }

    // ERROR_SUCCESS; ERROR_NO_SYSTEM_RESOURCES. Throws std::bad_alloc.
    DWORD add(PHANDLER_ROUTINE routine) {
        const std::lock_guard held(mutex_);
        if (!start()) return ERROR_NO_SYSTEM_RESOURCES;
        routines_.push_back(routine);
        settle_signals();
        return ERROR_SUCCESS;
    }

    // Returns false if it was not added.
    bool remove(PHANDLER_ROUTINE routine) {
        const std::lock_guard held(mutex_);
        const auto last = std::find(routines_.rbegin(), routines_.rend(), routine);
        if (last == routines_.rend()) return false;
        routines_.erase(std::next(last).base());
        settle_signals();
        return true;
    }

    void ignore_interrupts(bool ignore) {
        const std::lock_guard held(mutex_);
        ignores_ = ignore;
        settle_signals();
    }

private:
    // An event's signal, and its action of before while ours is in force.
    struct Signal {
        int number;
        DWORD event;
        bool is_taken = false;
        struct sigaction before {};
    };

    void settle_signals() {
        for (Signal& signal : signals_) {
            const bool is_ignored = ignores_ && signal.number == SIGINT;
            if (is_ignored || !routines_.empty()) {
                struct sigaction ours {};
                ours.sa_handler = is_ignored ? SIG_IGN : on_signal;
                ours.sa_flags = SA_RESTART;
                sigaction(signal.number, &ours, signal.is_taken ? nullptr : &signal.before);
                signal.is_taken = true;
            } else if (signal.is_taken) {
                sigaction(signal.number, &signal.before, nullptr);
                signal.is_taken = false;
            }
        }
    }

    bool start() {
        if (runs_) return true;
        if (to_console < 0) {
            std::array<int, 2> ends{};
            if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
            fcntl(ends[1], F_SETFL, O_NONBLOCK);
            from_signals_ = ends[0];
            to_console = ends[1];
            console_of = getpid();
        }
        try {
            std::thread([this] { serve(); }).detach();
        } catch (const std::system_error&) {
            return false;
        }
        return runs_ = true;
    }

    void serve() {
        for (unsigned char signal = 0;;) {
            if (read(from_signals_, &signal, 1) != 1) continue;
            const auto argument = reinterpret_cast<LPVOID>(ULONG_PTR{signal});
            // If no thread can be made, this one calls the functions, and later events wait.
            if (HANDLE const thread = CreateThread(nullptr, 0, tell, argument, 0, nullptr))
                CloseHandle(thread);
            else
                tell(argument);
        }
    }

    static DWORD WINAPI tell(LPVOID argument) {
        instance().tell_of(static_cast<int>(reinterpret_cast<ULONG_PTR>(argument)));
        return 0;
    }

    void tell_of(int number) {
        Signal& signal = *std::find_if(signals_.begin(), signals_.end(),
                                       [number](const Signal& known) { return known.number == number; });
        const bool may_go_on = signal.event == CTRL_C_EVENT || signal.event == CTRL_BREAK_EVENT;
        if (!is_handled(signal.event) || !may_go_on) act_as_before(signal);
    }

    // A function may add and remove functions: they are called without the lock.
    bool is_handled(DWORD type) {
        std::vector<PHANDLER_ROUTINE> routines;
        {
            const std::lock_guard held(mutex_);
            routines = routines_;
        }
        return std::any_of(routines.rbegin(), routines.rend(),
                           [type](PHANDLER_ROUTINE routine) { return routine(type) != FALSE; });
    }

    // By default the signal ends the process. A function that was in force before is called without the lock.
    void act_as_before(const Signal& signal) {
        struct sigaction before {};
        {
            const std::lock_guard held(mutex_);
            if (signal.is_taken)
                before = signal.before;
            else
                sigaction(signal.number, nullptr, &before);
            const bool is_function =
                (before.sa_flags & SA_SIGINFO) != 0 || (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
            if (!is_function) {
                if (signal.is_taken) sigaction(signal.number, &before, nullptr);
                raise(signal.number);
                settle_signals();
                return;
            }
        }
        if ((before.sa_flags & SA_SIGINFO) == 0) {
            before.sa_handler(signal.number);
            return;
        }
        siginfo_t information{};
        information.si_signo = signal.number;
        information.si_code = SI_USER;
        before.sa_sigaction(signal.number, &information, nullptr);
    }

    std::mutex mutex_;  // guards the members below, and the signals' actions
    std::vector<PHANDLER_ROUTINE> routines_;
    std::array<Signal, 4> signals_{Signal{SIGINT, CTRL_C_EVENT}, Signal{SIGQUIT, CTRL_BREAK_EVENT},
                                   Signal{SIGHUP, CTRL_CLOSE_EVENT}, Signal{SIGTERM, CTRL_SHUTDOWN_EVENT}};
    bool ignores_ = false;  // SIGINT
    bool runs_ = false;
    int from_signals_ = -1;  // constant once the thread runs
};

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

BOOL SetConsoleCtrlHandler(PHANDLER_ROUTINE HandlerRoutine, BOOL Add) try {
    Console& console = Console::instance();
    if (HandlerRoutine == nullptr) {
        console.ignore_interrupts(Add != FALSE);
        return TRUE;
    }
    if (!Add) return console.remove(HandlerRoutine) ? TRUE : fail(ERROR_INVALID_PARAMETER, FALSE);
    const DWORD error = console.add(HandlerRoutine);
    return error == ERROR_SUCCESS ? TRUE : fail(error, FALSE);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
}
