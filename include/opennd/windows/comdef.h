/* SPDX-License-Identifier: MIT
 *
 * comdef.h: an HRESULT as a C++ exception. C++ only.
 */
#ifndef OPENND_WINDOWS_COMDEF_H
#define OPENND_WINDOWS_COMDEF_H

#ifdef __cplusplus

#include "objbase.h"
#include "tchar.h"
#include "win32/messages.h"

/* A further description of an error, of which COM has a runtime: there is none here. */
struct IErrorInfo;

class _com_error {
public:
    _com_error(HRESULT hr, IErrorInfo* = nullptr, bool = false) noexcept : hresult_(hr) {}
    _com_error(const _com_error& that) noexcept : hresult_(that.hresult_) {}
    virtual ~_com_error() noexcept { LocalFree(message_); }
    _com_error& operator=(const _com_error& that) noexcept {
        if (this != &that) {
            LocalFree(message_);
            message_ = nullptr;
            hresult_ = that.hresult_;
        }
        return *this;
    }

    HRESULT Error() const noexcept { return hresult_; }
    /* NULL: there is no further description. */
    IErrorInfo* ErrorInfo() const noexcept { return nullptr; }

    /* The number of an error of IDispatch, which an HRESULT from 0x80040200 on carries; 0 of others. */
    WORD WCode() const noexcept { return HRESULTToWCode(hresult_); }
    static WORD HRESULTToWCode(HRESULT hr) noexcept {
        const DWORD code = static_cast<DWORD>(hr);
        return code >= 0x80040200u && code <= 0x8004FFFFu ? static_cast<WORD>(code - 0x80040200u) : WORD{0};
    }
    static HRESULT WCodeToHRESULT(WORD code) noexcept {
        return code >= 0xFE00 ? static_cast<HRESULT>(0x8004FFFFu) : static_cast<HRESULT>(0x80040200u + code);
    }

    /* FormatMessage's text for it, without a line end. Lives as long as this object, and is made by the first call:
     * one thread at a time. */
    const TCHAR* ErrorMessage() const noexcept {
        if (message_ == nullptr) {
            const DWORD length = FormatMessage(FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM, nullptr,
                                               static_cast<DWORD>(hresult_), 0, (LPTSTR)&message_, 0, nullptr);
            if (length >= 2 && message_[length - 2] == _T('\r')) message_[length - 2] = 0;
        }
        return message_ != nullptr ? message_ : _T("Out of memory");
    }

private:
    HRESULT hresult_;
    mutable TCHAR* message_ = nullptr;
};

[[noreturn]] inline void _com_raise_error(HRESULT hr, IErrorInfo* = nullptr) { throw _com_error(hr); }
[[noreturn]] inline void _com_issue_error(HRESULT hr) { _com_raise_error(hr); }

namespace _com_util {
inline void CheckError(HRESULT hr) {
    if (FAILED(hr)) _com_issue_error(hr);
}
}  // namespace _com_util

#endif /* __cplusplus */

#endif
