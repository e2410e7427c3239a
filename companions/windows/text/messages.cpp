// SPDX-License-Identifier: MIT
// FormatMessage: one line for each code of Win32, of Winsock or of Network Direct.
#include "win32/messages.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "opennd.h"
#include "win32/integer_limits.h"
#include "windows/last_error.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

struct Meaning {
    DWORD code;
    std::string_view text;
};

constexpr std::array kMeanings{
    Meaning{ERROR_SUCCESS, "Done"},
    Meaning{ERROR_INVALID_FUNCTION, "The request makes no sense for this object"},
    Meaning{ERROR_FILE_NOT_FOUND, "There is no such file"},
    Meaning{ERROR_PATH_NOT_FOUND, "There is no such folder"},
    Meaning{ERROR_TOO_MANY_OPEN_FILES, "No descriptor is left in this process"},
    Meaning{ERROR_ACCESS_DENIED, "Not permitted"},
    Meaning{ERROR_INVALID_HANDLE, "Not an open handle of the kind asked for"},
    Meaning{ERROR_NOT_ENOUGH_MEMORY, "Out of memory"},
    Meaning{ERROR_NOT_READY, "Not started yet"},
    Meaning{ERROR_GEN_FAILURE, "Failed for a reason that has no code"},
    Meaning{ERROR_SHARING_VIOLATION, "Something else uses it"},
    Meaning{ERROR_NOT_SUPPORTED, "Not supported"},
    Meaning{ERROR_BAD_NET_NAME, "No such address can be connected to"},
    Meaning{ERROR_FILE_EXISTS, "The file is there already"},
    Meaning{ERROR_INVALID_PARAMETER, "An argument is wrong"},
    Meaning{ERROR_DISK_FULL, "The disk has no room"},
    Meaning{ERROR_SEM_TIMEOUT, "The other end did not answer in time"},
    Meaning{ERROR_INSUFFICIENT_BUFFER, "The buffer is too small"},
    Meaning{ERROR_MOD_NOT_FOUND, "The module cannot be loaded"},
    Meaning{ERROR_PROC_NOT_FOUND, "The module has no such function"},
    Meaning{ERROR_BUSY, "Still in use"},
    Meaning{ERROR_ALREADY_EXISTS, "It is there already"},
    Meaning{ERROR_ENVVAR_NOT_FOUND, "There is no such environment variable"},
    Meaning{ERROR_MORE_DATA, "There is more than fits"},
    Meaning{WAIT_TIMEOUT, "The time is over"},
    Meaning{ERROR_NO_MORE_ITEMS, "There are no more"},
    Meaning{ERROR_DIRECTORY, "Not the name of a folder"},
    Meaning{ERROR_INVALID_ADDRESS, "Not an address that can be used"},
    Meaning{ERROR_ABANDONED_WAIT_0, "The awaited object was closed"},
    Meaning{ERROR_OPERATION_ABORTED, "The request was cancelled"},
    Meaning{ERROR_IO_INCOMPLETE, "The request is still in progress"},
    Meaning{ERROR_IO_PENDING, "The request is in progress and completes later"},
    Meaning{ERROR_NOACCESS, "The memory may not be accessed so"},
    Meaning{ERROR_FILE_INVALID, "The file is empty"},
    Meaning{ERROR_MAPPED_ALIGNMENT, "Not a multiple of the granularity"},
    Meaning{ERROR_NOT_FOUND, "Not found"},
    Meaning{ERROR_CONNECTION_REFUSED, "The other end refused the connection"},
    Meaning{ERROR_ADDRESS_ALREADY_ASSOCIATED, "It has an address already"},
    Meaning{ERROR_ADDRESS_NOT_ASSOCIATED, "It has no address yet"},
    Meaning{ERROR_CONNECTION_INVALID, "There is no connection"},
    Meaning{ERROR_CONNECTION_ACTIVE, "It is connected already"},
    Meaning{ERROR_NETWORK_UNREACHABLE, "No route leads to the network"},
    Meaning{ERROR_HOST_UNREACHABLE, "The host does not answer"},
    Meaning{ERROR_REQUEST_ABORTED, "The request was given up"},
    Meaning{ERROR_CONNECTION_ABORTED, "The connection was given up"},
    Meaning{ERROR_PRIVILEGE_NOT_HELD, "That needs a privilege"},
    Meaning{ERROR_NO_SYSTEM_RESOURCES, "The system has no resources left for it"},
    Meaning{ERROR_TIMEOUT, "The time is over"},
    Meaning{ERROR_DEVICE_REMOVED, "The device is gone"},
    Meaning{ERROR_INVALID_STATE, "It cannot be done in this state"},
    Meaning{ERROR_INVALID_DATA, "The data make no sense"},
    Meaning{ERROR_OUTOFMEMORY, "Out of memory"},
    Meaning{ERROR_HANDLE_EOF, "The file ends there"},
    Meaning{ERROR_BAD_NETPATH, "The network path leads nowhere"},
    Meaning{ERROR_DEV_NOT_EXIST, "There is no such device any more"},
    Meaning{ERROR_BROKEN_PIPE, "The other end is gone"},
    Meaning{ERROR_BUFFER_OVERFLOW, "The buffer is too small"},
    Meaning{ERROR_CALL_NOT_IMPLEMENTED, "This system has no such function"},
    Meaning{ERROR_INVALID_NAME, "No name can be like that"},
    Meaning{ERROR_BAD_EXE_FORMAT, "Not a module of this system"},
    Meaning{ERROR_NO_DATA, "Nothing is there to be read"},
    Meaning{ERROR_NOT_OWNER, "Another thread holds the mutex, or none"},
    Meaning{ERROR_MR_MID_NOT_FOUND, "There is no message for that number"},
    Meaning{ERROR_ARITHMETIC_OVERFLOW, "The result does not fit into its type"},
    Meaning{ERROR_INVALID_FLAGS, "A flag is wrong"},
    Meaning{ERROR_NO_UNICODE_TRANSLATION, "There is no such character"},
    Meaning{ERROR_DLL_INIT_FAILED, "The module did not start"},
    Meaning{ERROR_CANCELLED, "Somebody called it off"},
    Meaning{ERROR_RETRY, "It may succeed when it is done again"},
    Meaning{WSAEINTR, "A signal interrupted it"},
    Meaning{WSAEBADF, "Not an open descriptor"},
    Meaning{WSAEINPROGRESS, "Another request is in progress"},
    Meaning{WSAEALREADY, "It is in progress already"},
    Meaning{WSAEDESTADDRREQ, "The destination is missing"},
    Meaning{WSAEMSGSIZE, "The message is too long"},
    Meaning{WSAEPROTOTYPE, "The protocol is not for this kind of socket"},
    Meaning{WSAENOPROTOOPT, "The protocol has no such option"},
    Meaning{WSAEPROTONOSUPPORT, "Not a protocol that is supported"},
    Meaning{WSAESOCKTNOSUPPORT, "Not a kind of socket that is supported"},
    Meaning{WSAEPFNOSUPPORT, "Not a family of protocols that is supported"},
    Meaning{WSAENETRESET, "The network dropped the connection"},
    Meaning{WSAECONNABORTED, "The connection was given up"},
    Meaning{WSAEISCONN, "It is connected already"},
    Meaning{WSAESHUTDOWN, "This direction is shut down"},
    Meaning{WSAEHOSTDOWN, "The host is down"},
    Meaning{WSASYSNOTREADY, "The network is not ready"},
    Meaning{WSAEDISCON, "The other end disconnects in order"},
    Meaning{WSATYPE_NOT_FOUND, "There is no such service"},
    Meaning{WSATRY_AGAIN, "The name could not be looked up now"},
    Meaning{WSANO_RECOVERY, "It failed, and would again"},
    Meaning{WSANO_DATA, "The name has no such address"},
    Meaning{WSAEACCES, "Not permitted"},
    Meaning{WSAEFAULT, "The buffer is too small, or a pointer is wrong"},
    Meaning{WSAEINVAL, "An argument is wrong"},
    Meaning{WSAEMFILE, "No descriptor is left in this process"},
    Meaning{WSAEWOULDBLOCK, "It cannot be done without waiting"},
    Meaning{WSAENOTSOCK, "Not a socket"},
    Meaning{WSAEOPNOTSUPP, "The socket cannot do that"},
    Meaning{WSAEAFNOSUPPORT, "Not a family of addresses that is supported"},
    Meaning{WSAEADDRINUSE, "The address is in use"},
    Meaning{WSAEADDRNOTAVAIL, "The address is not one of this host"},
    Meaning{WSAENETDOWN, "The network is down"},
    Meaning{WSAENETUNREACH, "No route leads to the network"},
    Meaning{WSAECONNRESET, "The other end reset the connection"},
    Meaning{WSAENOBUFS, "The buffer is too small, or there is no room"},
    Meaning{WSAENOTCONN, "There is no connection"},
    Meaning{WSAETIMEDOUT, "The other end did not answer in time"},
    Meaning{WSAECONNREFUSED, "The other end refused the connection"},
    Meaning{WSAEHOSTUNREACH, "The host does not answer"},
    Meaning{WSAVERNOTSUPPORTED, "Not a version that is supported"},
    Meaning{WSANOTINITIALISED, "WSAStartup has not been called"},
    Meaning{WSAHOST_NOT_FOUND, "There is no such host"},
};

struct MeaningOfResult {
    HRESULT result;
    std::string_view text;
};

// Those of COM, which carry no code of Win32.
constexpr std::array kMeaningsOfResults{
    MeaningOfResult{E_UNEXPECTED, "It cannot be done in this state"},
    MeaningOfResult{E_NOTIMPL, "Not implemented"},
    MeaningOfResult{E_NOINTERFACE, "The object has no such interface"},
    MeaningOfResult{E_POINTER, "A pointer is wrong"},
    MeaningOfResult{E_ABORT, "It was called off"},
    MeaningOfResult{E_FAIL, "Failed for a reason that has no code"},
    MeaningOfResult{E_PENDING, "The data is not there yet"},
    MeaningOfResult{E_BOUNDS, "Beyond the bounds"},
    MeaningOfResult{CLASS_E_NOAGGREGATION, "The class cannot be part of another object"},
    MeaningOfResult{CLASS_E_CLASSNOTAVAILABLE, "The module has no such class"},
    MeaningOfResult{REGDB_E_CLASSNOTREG, "There is no such class"},
    MeaningOfResult{CO_E_NOTINITIALIZED, "CoInitialize has not been called"},
};

// An HRESULT may carry a code of Win32.
DWORD code_within(DWORD id) { return (id & 0xFFFF0000u) == 0x80070000u ? id & 0xFFFFu : id; }

std::string meaning(DWORD id) {
    char number[16];
    std::snprintf(number, sizeof number, " (0x%08X)", id);
    if (const std::string_view name = opennd_status_name(static_cast<HRESULT>(id)); name.starts_with("ND_") && id != 0)
        return std::string(name) + number;
    for (const MeaningOfResult& known : kMeaningsOfResults)
        if (known.result == static_cast<HRESULT>(id)) return std::string(known.text) + number;
    for (const Meaning& known : kMeanings)
        if (known.code == code_within(id)) return std::string(known.text) + number;
    return std::string("Unknown code") + number;
}

template <typename Char>
DWORD give(DWORD flags, const std::basic_string<Char>& text, Char* buffer, DWORD room) {
    if ((flags & (FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_FROM_HMODULE)) == 0 || buffer == nullptr)
        return fail(ERROR_INVALID_PARAMETER, DWORD{0});
    const std::size_t bytes = (text.size() + 1) * sizeof(Char);
    if ((flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) != 0) {
        void* const copy = std::malloc(bytes);
        if (copy == nullptr) return fail(ERROR_NOT_ENOUGH_MEMORY, DWORD{0});
        std::memcpy(copy, text.c_str(), bytes);
        std::memcpy(static_cast<void*>(buffer), &copy, sizeof copy);
    } else {
        if (text.size() + 1 > room) return fail(ERROR_INSUFFICIENT_BUFFER, DWORD{0});
        std::memcpy(buffer, text.c_str(), bytes);
    }
    return static_cast<DWORD>(text.size());
}

std::string line(DWORD flags, DWORD id) {
    return meaning(id) + ((flags & FORMAT_MESSAGE_MAX_WIDTH_MASK) == FORMAT_MESSAGE_MAX_WIDTH_MASK ? ". " : ".\r\n");
}

}  // namespace

DWORD FormatMessageA(DWORD dwFlags, LPCVOID, DWORD dwMessageId, DWORD, LPSTR lpBuffer, DWORD nSize, va_list*) {
    return give(dwFlags, line(dwFlags, dwMessageId), lpBuffer, nSize);
}

DWORD FormatMessageW(DWORD dwFlags, LPCVOID, DWORD dwMessageId, DWORD, LPWSTR lpBuffer, DWORD nSize, va_list*) {
    return give(dwFlags, from_utf8(line(dwFlags, dwMessageId)), lpBuffer, nSize);
}

HLOCAL LocalFree(HLOCAL hMem) {
    std::free(hMem);
    return nullptr;
}
