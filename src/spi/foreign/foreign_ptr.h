// SPDX-License-Identifier: MIT
// A reference to an object of another vendor's, which may do anything, throwing included.
#pragma once

#include <utility>

namespace opennd {

template <typename Interface>
class ForeignPtr {
public:
    ForeignPtr() = default;
    ~ForeignPtr() { reset(); }
    ForeignPtr(const ForeignPtr&) = delete;
    ForeignPtr& operator=(const ForeignPtr&) = delete;

    Interface* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // Where a call leaves a new reference.
    void** out() {
        reset();
        return reinterpret_cast<void**>(&object_);
    }
    Interface* take() { return std::exchange(object_, nullptr); }
    void reset() noexcept {
        try {
            if (object_ != nullptr) object_->Release();
        } catch (...) {
            // The reference counts as released.
        }
        object_ = nullptr;
    }

private:
    Interface* object_ = nullptr;
};

}  // namespace opennd
