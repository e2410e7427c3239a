// SPDX-License-Identifier: MIT
// See overlapped_object.h.
#include "spi/nd1/call/overlapped_object.h"

#include "platform/waiting/handle_table.h"

namespace opennd {
namespace {

HANDLE handle_of(const Ref<OverlappedFile>& file) {
    void* const handle = handle_table().insert(file);
    return handle ? handle : INVALID_HANDLE_VALUE;
}

}  // namespace

Nd1File::Nd1File(const void* owner) : file_(make_ref<OverlappedFile>(owner)), handle_(handle_of(file_)) {}

// A program that has closed the handle by mistake has closed it (ND1-AD-FH-03).
Nd1File::~Nd1File() {
    if (handle_ != INVALID_HANDLE_VALUE) (void)handle_table().close(handle_);
}

HRESULT nd1_overlapped_result(OVERLAPPED* overlapped, const void* object, SIZE_T* bytes, BOOL wait) noexcept {
    constexpr Site site{"OVERLAPPED", "GetOverlappedResult"};
    if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pOverlapped");
    if (bytes == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pNumberOfBytesTransferred");
    const HRESULT status = overlapped_result(overlapped, wait != FALSE, object);
    *bytes = 0;  // no request of Network Direct transfers any (ND1-CN-CONN-17)
    if (FAILED(status)) [[unlikely]]
        remember_nd1_result(status, "overlapped request", site.operation);
    return status;
}

}  // namespace opennd
