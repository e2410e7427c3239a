// SPDX-License-Identifier: MIT
// The common base of the face's IND2Overlapped objects: one core object, the overlapped file of its requests, and
// the two methods of IND2Overlapped.
#pragma once

#include <utility>

#include "base/ref.h"
#include "platform/waiting/completion_port.h"
#include "spi/com_object.h"
#include "spi/overlapped.h"

namespace opennd {

// `Between`: the interfaces between Interface and IND2Overlapped.
template <typename Self, typename Interface, typename CoreObject, typename... Between>
class Nd2OverlappedObject : public ComObject<Self, Interface, Between..., IND2Overlapped, IUnknown> {
public:
    using Core = CoreObject;

    Nd2OverlappedObject(Ref<OverlappedFile> file, Ref<Core> core) : core_(std::move(core)), file_(std::move(file)) {}

    const Ref<Core>& core() const { return core_; }

    // ND2-OVL-12.
    HRESULT STDMETHODCALLTYPE CancelOverlappedRequests() noexcept override {
        return at_face([this] { return core_->cancel(), ND_SUCCESS; });
    }

    // ND2-OVL-19: the request may be any object's.
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) noexcept override {
        return overlapped_result(overlapped, wait != FALSE, core_.get());
    }

protected:
    void close() override { core_->close(); }

    // The overlapped method of this object; see submit() of spi/overlapped.h.
    template <typename Start>
    HRESULT begin(OVERLAPPED* overlapped, Start&& start) const noexcept {
        return submit(overlapped, core_.get(), file_, kNd2Overlapped, std::forward<Start>(start));
    }

    // Constant after construction.
    const Ref<Core> core_;
    const Ref<OverlappedFile> file_;
};

}  // namespace opennd
