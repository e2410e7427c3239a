// SPDX-License-Identifier: MIT
// ReadFileEx and WriteFileEx: a thread of the pool reads or writes, and queues the completion to the thread that asked.
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <utility>

#include "ndstatus.h"
#include "ntstatus.h"
#include "win32/files.h"
#include "windows/last_error.h"
#include "windows/process/callback_pool.h"
#include "windows/process/file.h"
#include "windows/process/file_request.h"
#include "windows/sync/apc_queue.h"

namespace opennd::windows {
namespace {

struct Outcome {
    HRESULT status = ND_SUCCESS;
    DWORD bytes = 0;
};

// Called in the thread that asked.
class Completion final : public Apc {
public:
    Completion(LPOVERLAPPED overlapped, LPOVERLAPPED_COMPLETION_ROUTINE routine)
        : Apc(nullptr), overlapped_(overlapped), routine_(routine) {}

    void set(const Outcome& outcome) {
        outcome_ = outcome;
        overlapped_->InternalHigh = outcome.bytes;
        status_of(*overlapped_).store(static_cast<ULONG_PTR>(outcome.status), std::memory_order_release);
        status_of(*overlapped_).notify_all();
    }
    void run() override { routine_(win32_error(outcome_.status), outcome_.bytes, overlapped_); }

private:
    const LPOVERLAPPED overlapped_;
    const LPOVERLAPPED_COMPLETION_ROUTINE routine_;
    Outcome outcome_;
};

class FileRequest {
public:
    enum class Kind { read, write };

    FileRequest(Kind kind, std::shared_ptr<File> file, const iovec& data, LPOVERLAPPED overlapped,
                LPOVERLAPPED_COMPLETION_ROUTINE routine)
        : kind_(kind),
          file_(std::move(file)),
          data_(data),
          place_({overlapped->Offset, overlapped->OffsetHigh}),
          asker_(ApcQueue::of_this_thread()),
          completion_(std::make_unique<Completion>(overlapped, routine)) {}

    // In a thread of the pool; `request` owns the request.
    static VOID CALLBACK carry_out(DWORD, DWORD, LPOVERLAPPED request) {
        const std::unique_ptr<FileRequest> self(reinterpret_cast<FileRequest*>(request));
        self->completion_->set(self->outcome());
        self->asker_->push(std::move(self->completion_));
    }

private:
    struct Place {
        DWORD low;
        DWORD high;
        bool is_end() const { return low == 0xFFFFFFFF && high == 0xFFFFFFFF; }
        off_t offset() const { return static_cast<off_t>(ULONGLONG{high} << 32 | low); }
    };

    Outcome outcome() const {
        ssize_t moved = 0;
        do moved = transfer();
        while (moved < 0 && errno == EINTR);
        if (moved < 0) return {HRESULT_FROM_WIN32(win32_error_of_errno(errno)), 0};
        if (moved == 0 && kind_ == Kind::read && data_.iov_len != 0) return {STATUS_END_OF_FILE, 0};
        return {ND_SUCCESS, static_cast<DWORD>(moved)};
    }

    ssize_t transfer() const {
        const int file = file_->descriptor();
        const bool has_places = lseek(file, 0, SEEK_CUR) >= 0;
        if (kind_ == Kind::read)
            return has_places ? pread(file, data_.iov_base, data_.iov_len, place_.offset())
                              : read(file, data_.iov_base, data_.iov_len);
        if (!has_places) return write(file, data_.iov_base, data_.iov_len);
        return place_.is_end() ? pwritev2(file, &data_, 1, 0, RWF_APPEND)
                               : pwrite(file, data_.iov_base, data_.iov_len, place_.offset());
    }

    const Kind kind_;
    const std::shared_ptr<File> file_;
    const iovec data_;
    const Place place_;  // the program may change the OVERLAPPED's once it is complete
    const std::shared_ptr<ApcQueue> asker_;
    std::unique_ptr<Completion> completion_;
};

BOOL ask(FileRequest::Kind kind, HANDLE handle, const iovec& data, LPOVERLAPPED overlapped,
         LPOVERLAPPED_COMPLETION_ROUTINE routine) try {
    auto file = find_companion<File>(handle);
    if (!file) return fail(ERROR_INVALID_HANDLE, FALSE);
    if (!file->is_overlapped() || overlapped == nullptr || routine == nullptr)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    if (kind == FileRequest::Kind::read ? !file->can_read() : !file->can_write())
        return fail(ERROR_ACCESS_DENIED, FALSE);
    CallbackPool& pool = CallbackPool::instance();
    if (const HRESULT status = pool.open(); FAILED(status)) return fail(win32_error(status), FALSE);
    auto request = std::make_unique<FileRequest>(kind, std::move(file), data, overlapped, routine);
    overlapped->InternalHigh = 0;
    status_of(*overlapped).store(static_cast<ULONG_PTR>(ND_PENDING), std::memory_order_relaxed);
    if (!pool.call(FileRequest::carry_out, request.get())) return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
    (void)request.release();
    SetLastError(ERROR_SUCCESS);
    return TRUE;
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
}

}  // namespace

void wait_for_file_request(OVERLAPPED& overlapped) {
    status_of(overlapped).wait(static_cast<ULONG_PTR>(ND_PENDING), std::memory_order_acquire);
}

}  // namespace opennd::windows

using namespace opennd::windows;

BOOL ReadFileEx(HANDLE hFile, LPVOID lpBuffer, DWORD nNumberOfBytesToRead, LPOVERLAPPED lpOverlapped,
                LPOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine) {
    return ask(FileRequest::Kind::read, hFile, {lpBuffer, nNumberOfBytesToRead}, lpOverlapped, lpCompletionRoutine);
}

BOOL WriteFileEx(HANDLE hFile, LPCVOID lpBuffer, DWORD nNumberOfBytesToWrite, LPOVERLAPPED lpOverlapped,
                 LPOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine) {
    return ask(FileRequest::Kind::write, hFile, {const_cast<LPVOID>(lpBuffer), nNumberOfBytesToWrite}, lpOverlapped,
               lpCompletionRoutine);
}
