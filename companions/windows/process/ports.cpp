// SPDX-License-Identifier: MIT
// Completion ports of Win32, which are libopennd's, and the results of overlapped requests.
#include "win32/ports.h"
#include "win32/events.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "opennd.h"
#include "windows/companion.h"
#include "windows/last_error.h"
#include "windows/process/file.h"
#include "windows/process/file_request.h"
#include "windows/sockets/notifier.h"
#include "windows/sync/apc_queue.h"
#include "windows/sync/deadline.h"

using namespace opennd::windows;

namespace {

static_assert(sizeof(OVERLAPPED_ENTRY) == sizeof(opennd_packet) &&
                  offsetof(OVERLAPPED_ENTRY, lpOverlapped) == offsetof(opennd_packet, overlapped) &&
                  offsetof(OVERLAPPED_ENTRY, Internal) == offsetof(opennd_packet, status) &&
                  offsetof(OVERLAPPED_ENTRY, dwNumberOfBytesTransferred) == offsetof(opennd_packet, bytes),
              "a packet is an OVERLAPPED_ENTRY");

HRESULT status_of(const opennd_packet& packet) { return static_cast<HRESULT>(packet.status); }

// Why no packet was taken.
DWORD error_of_wait(HRESULT status) {
    return status == ND_CANCELED ? DWORD{ERROR_ABANDONED_WAIT_0} : win32_error(status);
}

// The error of a wait that also makes the calls queued to the thread; ERROR_SUCCESS: packets were taken. A port that
// another thread closes takes its descriptor with it, which wakes no poll(): so the wait looks at the port from time to
// time.
DWORD wait_alertably(ApcQueue& apcs, HANDLE port, std::span<opennd_packet> packets, DWORD milliseconds, ULONG& count) {
    constexpr int kLookMs = 100;
    std::array<pollfd, 2> polled{{{-1, POLLIN, 0}, {-1, POLLIN, 0}}};
    if (const HRESULT status = apcs.descriptor(polled[1].fd); FAILED(status)) return win32_error(status);
    if (const HRESULT status = opennd_port_descriptor(port, &polled[0].fd); FAILED(status)) return win32_error(status);
    const Deadline deadline(milliseconds);
    for (;;) {
        const bool last_look = deadline.has_passed();
        const HRESULT status = opennd_port_wait(port, packets.data(), static_cast<ULONG>(packets.size()), 0, &count);
        if (status == ND_SUCCESS) return ERROR_SUCCESS;
        if (status == ND_INVALID_HANDLE) return ERROR_ABANDONED_WAIT_0;  // it was one when its descriptor was taken
        if (status != ND_TIMEOUT) return error_of_wait(status);
        if (apcs.run_all()) return WAIT_IO_COMPLETION;
        if (last_look) return WAIT_TIMEOUT;
        const int left = deadline.poll_timeout();
        poll(polled.data(), polled.size(), left < 0 ? kLookMs : std::min(left, kLookMs));
    }
}

// ERROR_SUCCESS: it is an overlapped file.
DWORD check_overlapped_file(HANDLE file) {
    opennd_handle_kind kind{};
    const HRESULT status = opennd_handle_query(file, &kind);
    if (FAILED(status)) return win32_error(status);
    return kind == OPENND_HANDLE_OVERLAPPED_FILE ? DWORD{ERROR_SUCCESS} : DWORD{ERROR_INVALID_HANDLE};
}

HRESULT associate(HANDLE file, HANDLE port, ULONG_PTR key) {
    switch (associate_notifier(file, port, key)) {
        case Association::done: return ND_SUCCESS;
        case Association::refused: return ND_INVALID_PARAMETER;
        case Association::other: break;
    }
    return opennd_port_associate(port, file, key);
}

HANDLE create_port() {
    HANDLE port = nullptr;
    const HRESULT status = opennd_port_create(&port);
    return FAILED(status) ? fail(win32_error(status), HANDLE{}) : port;
}

}  // namespace

HANDLE CreateIoCompletionPort(HANDLE FileHandle, HANDLE ExistingCompletionPort, ULONG_PTR CompletionKey, DWORD) {
    if (FileHandle == INVALID_HANDLE_VALUE)
        return ExistingCompletionPort == nullptr ? create_port() : fail(ERROR_INVALID_PARAMETER, HANDLE{});
    HANDLE port = ExistingCompletionPort != nullptr ? ExistingCompletionPort : create_port();
    if (port == nullptr) return nullptr;
    const HRESULT status = associate(FileHandle, port, CompletionKey);
    if (!FAILED(status)) return port;
    if (ExistingCompletionPort == nullptr) opennd_handle_close(port);
    return fail(win32_error(status), HANDLE{});
}

BOOL GetQueuedCompletionStatus(HANDLE CompletionPort, LPDWORD lpNumberOfBytesTransferred, PULONG_PTR lpCompletionKey,
                               LPOVERLAPPED* lpOverlapped, DWORD dwMilliseconds) {
    if (lpNumberOfBytesTransferred == nullptr || lpCompletionKey == nullptr || lpOverlapped == nullptr)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    *lpOverlapped = nullptr;
    opennd_packet packet{};
    ULONG count = 0;
    const HRESULT status = opennd_port_wait(CompletionPort, &packet, 1, dwMilliseconds, &count);
    if (status != ND_SUCCESS) return fail(error_of_wait(status), FALSE);
    *lpNumberOfBytesTransferred = packet.bytes;
    *lpCompletionKey = packet.key;
    *lpOverlapped = packet.overlapped;
    return FAILED(status_of(packet)) ? fail(win32_error(status_of(packet)), FALSE) : TRUE;
}

BOOL GetQueuedCompletionStatusEx(HANDLE CompletionPort, LPOVERLAPPED_ENTRY lpCompletionPortEntries, ULONG ulCount,
                                 PULONG ulNumEntriesRemoved, DWORD dwMilliseconds, BOOL fAlertable) {
    if (lpCompletionPortEntries == nullptr || ulCount == 0 || ulNumEntriesRemoved == nullptr)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    opennd_packet packets[64];
    const std::span room(packets, std::min<std::size_t>(ulCount, std::size(packets)));
    ApcQueue* const apcs = fAlertable ? ApcQueue::existing() : nullptr;
    const DWORD error = apcs != nullptr
                            ? wait_alertably(*apcs, CompletionPort, room, dwMilliseconds, *ulNumEntriesRemoved)
                            : error_of_wait(opennd_port_wait(CompletionPort, packets, static_cast<ULONG>(room.size()),
                                                             dwMilliseconds, ulNumEntriesRemoved));
    if (error != ERROR_SUCCESS) return fail(error, FALSE);
    for (ULONG i = 0; i < *ulNumEntriesRemoved; ++i)
        lpCompletionPortEntries[i] = {packets[i].key, packets[i].overlapped, packets[i].status, packets[i].bytes};
    return TRUE;
}

BOOL PostQueuedCompletionStatus(HANDLE CompletionPort, DWORD dwNumberOfBytesTransferred, ULONG_PTR dwCompletionKey,
                                LPOVERLAPPED lpOverlapped) {
    return succeed_or_fail(opennd_port_post(CompletionPort, dwNumberOfBytesTransferred, dwCompletionKey, lpOverlapped));
}

BOOL SetFileCompletionNotificationModes(HANDLE FileHandle, UCHAR Flags) {
    if ((Flags & ~(FILE_SKIP_COMPLETION_PORT_ON_SUCCESS | FILE_SKIP_SET_EVENT_ON_HANDLE)) != 0)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    const DWORD error = check_overlapped_file(FileHandle);
    return error == ERROR_SUCCESS ? TRUE : fail(error, FALSE);
}

BOOL GetOverlappedResult(HANDLE hFile, LPOVERLAPPED lpOverlapped, LPDWORD lpNumberOfBytesTransferred, BOOL bWait) {
    if (bWait && lpOverlapped != nullptr && find_companion<File>(hFile)) wait_for_file_request(*lpOverlapped);
    const HRESULT status = opennd_overlapped_result(lpOverlapped, bWait);
    if (status != ND_PENDING && lpOverlapped != nullptr && lpNumberOfBytesTransferred != nullptr)
        *lpNumberOfBytesTransferred = static_cast<DWORD>(lpOverlapped->InternalHigh);
    return succeed_or_fail(status);
}

BOOL CancelIo(HANDLE hFile) {
    const DWORD error = check_overlapped_file(hFile);
    return error == ERROR_SUCCESS ? TRUE : fail(error, FALSE);
}

BOOL CancelIoEx(HANDLE hFile, LPOVERLAPPED) {
    const DWORD error = check_overlapped_file(hFile);
    return fail(error == ERROR_SUCCESS ? DWORD{ERROR_NOT_FOUND} : error, FALSE);
}
