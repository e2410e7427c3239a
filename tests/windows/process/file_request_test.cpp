// SPDX-License-Identifier: MIT
// ReadFileEx and WriteFileEx.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <windows.h>

#include <string>
#include <thread>

#include "temporary_file.h"

namespace opennd {
namespace {

// The OVERLAPPED is its beginning, as programs find their own data in the routine.
struct Request {
    OVERLAPPED overlapped{};
    char data[16]{};
    int calls = 0;
    DWORD error = 0;
    DWORD bytes = 0;
    DWORD thread = 0;

    explicit Request(DWORD offset = 0) {
        overlapped.Offset = offset;
        overlapped.hEvent = this;  // the program's, for anything
    }
    static VOID WINAPI complete(DWORD error, DWORD bytes, LPOVERLAPPED overlapped) {
        auto* const self = static_cast<Request*>(overlapped->hEvent);
        ++self->calls;
        self->error = error;
        self->bytes = bytes;
        self->thread = GetCurrentThreadId();
    }
    BOOL read(HANDLE file, DWORD count) { return ReadFileEx(file, data, count, &overlapped, complete); }
    BOOL write(HANDLE file, const std::string& text) {
        return WriteFileEx(file, text.data(), static_cast<DWORD>(text.size()), &overlapped, complete);
    }
    std::string text() const { return std::string(data, bytes); }
};

TEST(FileRequest, CompletesInAnAlertableWaitOfTheThreadThatAsked) {
    const TemporaryFile place("0123456789");
    const HANDLE file = place.open(GENERIC_READ, FILE_FLAG_OVERLAPPED);
    Request request(3);
    SetLastError(ERROR_INVALID_HANDLE);
    EXPECT_TRUE(request.read(file, 4));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_SUCCESS});
    while (!HasOverlappedIoCompleted(&request.overlapped)) SwitchToThread();
    EXPECT_EQ(request.calls, 0) << "read, and not told";
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(request.calls, 1);
    EXPECT_EQ(request.error, DWORD{ERROR_SUCCESS});
    EXPECT_EQ(request.text(), "3456");
    EXPECT_EQ(request.thread, GetCurrentThreadId());
    DWORD bytes = 0;
    EXPECT_TRUE(GetOverlappedResult(file, &request.overlapped, &bytes, FALSE));
    EXPECT_EQ(bytes, 4u);
    CloseHandle(file);
}

TEST(FileRequest, EndsWithTheFile) {
    const TemporaryFile place("0123456789");
    const HANDLE file = place.open(GENERIC_READ, FILE_FLAG_OVERLAPPED);
    Request at_end(10), across(8);
    EXPECT_TRUE(at_end.read(file, 4) && across.read(file, 4));
    while (at_end.calls + across.calls < 2) EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(across.text(), "89");
    EXPECT_EQ(at_end.error, DWORD{ERROR_HANDLE_EOF});
    EXPECT_EQ(at_end.bytes, 0u);
    DWORD bytes = 1;
    EXPECT_FALSE(GetOverlappedResult(file, &at_end.overlapped, &bytes, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_HANDLE_EOF});
    CloseHandle(file);
}

TEST(FileRequest, WritesAtItsPlaceAndAtTheEnd) {
    const TemporaryFile place("0123456789");
    const HANDLE file = place.open(GENERIC_READ | GENERIC_WRITE, FILE_FLAG_OVERLAPPED);
    Request within(2), behind;
    behind.overlapped.Offset = behind.overlapped.OffsetHigh = 0xFFFFFFFF;
    EXPECT_TRUE(within.write(file, "ab") && behind.write(file, "cd"));
    CloseHandle(file);
    while (within.calls + behind.calls < 2) EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(within.bytes, 2u);
    EXPECT_EQ(place.content(), "01ab456789cd");
}

// A pipe that nobody has written to yet.
class Pipe {
public:
    Pipe() {
        EXPECT_EQ(mkfifo(name_.c_str(), 0600), 0);
        writer_ = open(name_.c_str(), O_RDWR);
        reader = CreateFileA(name_.c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, nullptr);
        EXPECT_NE(reader, INVALID_HANDLE_VALUE);
    }
    ~Pipe() {
        CloseHandle(reader);
        close(writer_);
        unlink(name_.c_str());
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void write_word() const { EXPECT_EQ(write(writer_, "word", 4), 4); }

    HANDLE reader = INVALID_HANDLE_VALUE;

private:
    const TemporaryFile place_{""};
    const std::string name_ = std::string(place_.name()) + ".pipe";
    int writer_ = -1;
};

TEST(FileRequest, DoesNotWaitForAPipe) {
    const Pipe pipe;
    Request request;
    EXPECT_TRUE(request.read(pipe.reader, 16));
    DWORD bytes = 0;
    EXPECT_FALSE(GetOverlappedResult(pipe.reader, &request.overlapped, &bytes, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_IO_INCOMPLETE});
    EXPECT_EQ(SleepEx(10, TRUE), 0u);
    pipe.write_word();
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(request.text(), "word");
}

TEST(FileRequest, MayBeWaitedFor) {
    const Pipe pipe;
    Request request;
    EXPECT_TRUE(request.read(pipe.reader, 16));
    std::thread late([&] { pipe.write_word(); });
    DWORD bytes = 0;
    EXPECT_TRUE(GetOverlappedResult(pipe.reader, &request.overlapped, &bytes, TRUE));
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(request.calls, 0) << "its routine waits for an alertable wait all the same";
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    late.join();
}

TEST(FileRequest, OfAThreadThatHasEndedIsNotTold) {
    const TemporaryFile place("0123456789");
    const HANDLE file = place.open(GENERIC_READ, FILE_FLAG_OVERLAPPED);
    struct Asker {
        HANDLE file;
        Request request{};
        static DWORD WINAPI run(LPVOID parameter) {
            auto* const self = static_cast<Asker*>(parameter);
            return static_cast<DWORD>(self->request.read(self->file, 4));
        }
    } asker{file};
    const HANDLE thread = CreateThread(nullptr, 0, Asker::run, &asker, 0, nullptr);
    EXPECT_EQ(WaitForSingleObject(thread, INFINITE), WAIT_OBJECT_0);
    while (!HasOverlappedIoCompleted(&asker.request.overlapped)) SwitchToThread();
    EXPECT_EQ(SleepEx(0, TRUE), 0u) << "another thread's";
    EXPECT_EQ(asker.request.calls, 0);
    CloseHandle(thread);
    CloseHandle(file);
}

TEST(FileRequest, ThatCannotBeIsRefused) {
    const TemporaryFile place("0123456789");
    const HANDLE plain = place.open(GENERIC_READ);
    const HANDLE file = place.open(GENERIC_READ, FILE_FLAG_OVERLAPPED);
    Request request;
    EXPECT_FALSE(request.read(plain, 4));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(ReadFileEx(file, request.data, 4, nullptr, Request::complete));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(ReadFileEx(file, request.data, 4, &request.overlapped, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(request.write(file, "x"));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_ACCESS_DENIED});
    EXPECT_FALSE(request.read(nullptr, 4));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    DWORD bytes = 0;
    EXPECT_FALSE(ReadFile(file, request.data, 4, &bytes, nullptr)) << "by ReadFileEx alone";
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    CloseHandle(plain);
    CloseHandle(file);
}

TEST(FileRequest, ThatTheSystemRefusesTellsSo) {
    const HANDLE folder = CreateFileA("/", GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, nullptr);
    Request request;
    EXPECT_TRUE(request.read(folder, 4));
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_NE(request.error, DWORD{ERROR_SUCCESS});
    EXPECT_EQ(request.bytes, 0u);
    CloseHandle(folder);
}

}  // namespace
}  // namespace opennd
