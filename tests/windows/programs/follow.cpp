// SPDX-License-Identifier: MIT
// A program that follows a file, as it would stand in a Visual Studio project: one thread, and everything in alertable
// waits. ReadFileEx reads, a timer with a routine asks for the next look, and another thread ends it with a call of its
// own.
#include <windows.h>

#include <cstdio>
#include <string>

namespace {

enum class State { reading = 0x1, waiting = 0x2, ended = 0x4 };
DEFINE_ENUM_FLAG_OPERATORS(State)

class Follower {
public:
    explicit Follower(LPCWSTR name)
        : file_(CreateFileW(name, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                            FILE_FLAG_OVERLAPPED, nullptr)),
          timer_(CreateWaitableTimerExW(nullptr, nullptr, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS)),
          seen_(CreateEventW(nullptr, TRUE, FALSE, nullptr)) {
        request_.hEvent = this;
    }
    ~Follower() {
        CancelWaitableTimer(timer_);
        CloseHandle(timer_);
        CloseHandle(seen_);
        CloseHandle(file_);
    }

    bool is_open() const { return file_ != INVALID_HANDLE_VALUE && timer_ != nullptr; }

    // Until end() is called in this thread.
    void run() {
        read();
        while ((state_ & State::ended) != State::ended || (state_ & State::reading) == State::reading)
            SleepEx(INFINITE, TRUE);
    }

    static VOID NTAPI end(ULONG_PTR self) { reinterpret_cast<Follower*>(self)->state_ |= State::ended; }

    const std::string& text() const { return text_; }
    UINT64 looks() const { return looks_; }
    HANDLE seen() const { return seen_; }  // is signalled by the last line

private:
    void read() {
        state_ |= State::reading;
        ++looks_;
        request_.Offset = static_cast<DWORD>(text_.size());
        if (!ReadFileEx(file_, data_, sizeof data_, &request_, on_read)) state_ = State::ended;
    }

    static VOID CALLBACK on_read(DWORD error, DWORD bytes, LPOVERLAPPED request) {
        auto* const self = static_cast<Follower*>(request->hEvent);
        self->state_ &= ~State::reading;
        if (error == ERROR_SUCCESS) self->text_.append(self->data_, bytes);
        if (self->text_.ends_with("last\n")) SetEvent(self->seen_);
        LARGE_INTEGER soon;
        soon.QuadPart = -10'000;  // a millisecond
        SetWaitableTimer(self->timer_, &soon, 0, on_time, self, FALSE);
    }

    static VOID CALLBACK on_time(LPVOID self, DWORD, DWORD) {
        auto* const follower = static_cast<Follower*>(self);
        if ((follower->state_ & State::ended) != State::ended) follower->read();
    }

    const HANDLE file_;
    const HANDLE timer_;
    const HANDLE seen_;
    OVERLAPPED request_{};
    char data_[4]{};
    std::string text_;
    UINT64 looks_ = 0;
    State state_ = State::waiting;
};

struct Job {
    Follower* follower;
    HANDLE thread;  // that follows
    LPCWSTR name;
};

// Writes a line behind the others, and ends the following.
DWORD WINAPI write_and_end(LPVOID parameter) {
    const auto* const job = static_cast<Job*>(parameter);
    const HANDLE file =
        CreateFileW(job->name, GENERIC_WRITE, FILE_SHARE_READ, nullptr, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, nullptr);
    OVERLAPPED at_end{};
    at_end.Offset = at_end.OffsetHigh = 0xFFFFFFFF;
    static const char kLine[] = "last\n";
    if (!WriteFileEx(file, kLine, sizeof kLine - 1, &at_end, [](DWORD, DWORD, LPOVERLAPPED) {})) return 1;
    while (SleepEx(INFINITE, TRUE) != WAIT_IO_COMPLETION) {
    }
    CloseHandle(file);
    const HANDLE only[] = {job->follower->seen()};
    WaitForMultipleObjectsEx(1, only, TRUE, INFINITE, TRUE);
    return QueueUserAPC(Follower::end, job->thread, reinterpret_cast<ULONG_PTR>(job->follower)) != 0 ? 0 : 2;
}

DWORD WINAPI follow(LPVOID parameter) {
    static_cast<Follower*>(parameter)->run();
    return 0;
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
    if (argc != 2) return 1;
    Follower follower(argv[1]);
    if (!follower.is_open()) return 2;
    Job job{&follower, CreateThread(nullptr, 0, follow, &follower, 0, nullptr), argv[1]};
    const HANDLE both[] = {job.thread, CreateThread(nullptr, 0, write_and_end, &job, 0, nullptr)};
    WaitForMultipleObjects(2, both, TRUE, INFINITE);
    for (const HANDLE thread : both) CloseHandle(thread);
    wprintf(L"%S%s", follower.text().c_str(), follower.looks() > 2 ? L"followed\n" : L"");
    return 0;
}
