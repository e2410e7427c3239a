// SPDX-License-Identifier: MIT
//
// ComPtr: owns one COM reference. Tests that count references call Release themselves through detach().
#pragma once

#include <utility>

namespace opennd::support {

template <typename T>
class ComPtr {
public:
    ComPtr() = default;
    explicit ComPtr(T* owned) : object_(owned) {}
    ComPtr(ComPtr&& other) noexcept : object_(other.detach()) {}
    ComPtr& operator=(ComPtr&& other) noexcept {
        if (this != &other) {
            reset();
            object_ = other.detach();
        }
        return *this;
    }
    ComPtr(const ComPtr&) = delete;
    ComPtr& operator=(const ComPtr&) = delete;
    ~ComPtr() { reset(); }

    T* get() const { return object_; }
    T* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // For out-parameters of type VOID**. Releases the owned object first.
    void** out() {
        reset();
        return reinterpret_cast<void**>(&object_);
    }

    // The same for out-parameters of type T**.
    T** put() {
        reset();
        return &object_;
    }

    T* detach() { return std::exchange(object_, nullptr); }

    // Releases now; returns the result of Release, or 0 if nothing was owned.
    unsigned reset() { return object_ ? static_cast<unsigned>(detach()->Release()) : 0; }

private:
    T* object_ = nullptr;
};

}  // namespace opennd::support
