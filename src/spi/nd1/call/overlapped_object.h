// SPDX-License-Identifier: MIT
// The common base of version 1's overlapped objects: the adapter's file, and the two methods of INDOverlapped.
#pragma once

#include <utility>

#include "base/ref.h"
#include "platform/waiting/completion_port.h"
#include "spi/com_object.h"
#include "spi/nd1/call/status.h"
#include "spi/overlapped.h"

namespace opennd {

inline constexpr OverlappedRules kNd1Overlapped{.number = to_nd1, .completes_inline = true, .event_first = true};

// The one file of an adapter instance, and its handle. Lives as long as the last object of the instance (ND1-AD-FH-03).
class Nd1File final : public RefCounted {
public:
    explicit Nd1File(const void* owner);
    ~Nd1File() override;

    const Ref<OverlappedFile>& file() const { return file_; }
    HANDLE handle() const { return handle_; }  // INVALID_HANDLE_VALUE: none was free

private:
    const Ref<OverlappedFile> file_;
    const HANDLE handle_;
};

// ND1-OV-GOR-01 to -08: the request may be any object's.
HRESULT nd1_overlapped_result(OVERLAPPED* overlapped, const void* object, SIZE_T* bytes, BOOL wait) noexcept;

template <typename Self, typename Interface, typename CoreObject>
class Nd1OverlappedObject : public ComObject<Self, Interface, INDOverlapped, IUnknown> {
public:
    using Core = CoreObject;

    Nd1OverlappedObject(Ref<Nd1File> file, Ref<Core> core) : core_(std::move(core)), file_(std::move(file)) {}

    const Ref<Core>& core() const { return core_; }

    // ND1-OV-CXL-02.
    HRESULT STDMETHODCALLTYPE CancelOverlappedRequests() noexcept override {
        return at_face([this] { return core_->cancel(), ND_SUCCESS; });
    }
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) noexcept override {
        return nd1_overlapped_result(overlapped, core_.get(), bytes, wait);
    }

protected:
    void close() override { core_->close(); }

    // As submit() of spi/overlapped.h; core's refusals are the method's, with `requirement`.
    template <typename Start>
    HRESULT begin(OVERLAPPED* overlapped, const Site& site, std::string_view requirement,
                  Start&& start) const noexcept {
        return submit(overlapped, core_.get(), file_->file(), kNd1Overlapped,
                      [&](std::unique_ptr<AsyncRequest> request) {
                          return in_words_of(site, requirement, [&] { return start(std::move(request)); });
                      });
    }

    // Constant after construction.
    const Ref<Core> core_;
    const Ref<Nd1File> file_;
};

}  // namespace opennd
