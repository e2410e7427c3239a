// SPDX-License-Identifier: MIT
//
// ComPtr: owns one reference to a COM object. Only what the command needs: no copies, no QueryInterface.
#pragma once

#include <utility>

namespace nd {

template <typename Interface>
class ComPtr {
public:
    ComPtr() = default;
    ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    ComPtr& operator=(ComPtr&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ComPtr(const ComPtr&) = delete;
    ComPtr& operator=(const ComPtr&) = delete;
    ~ComPtr() { reset(); }

    Interface* get() const { return object_; }
    Interface* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // For the output parameter of a Create... method: of version 2, and of version 1.
    void** put() { return reinterpret_cast<void**>(put_typed()); }
    Interface** put_typed() {
        reset();
        return &object_;
    }

    void reset() {
        if (Interface* object = std::exchange(object_, nullptr)) object->Release();
    }

private:
    Interface* object_ = nullptr;
};

}  // namespace nd
