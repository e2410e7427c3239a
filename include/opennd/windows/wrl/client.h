/* SPDX-License-Identifier: MIT
 *
 * wrl/client.h: ComPtr, which holds one reference to an interface. C++ only.
 */
#ifndef OPENND_WINDOWS_WRL_CLIENT_H
#define OPENND_WINDOWS_WRL_CLIENT_H

#ifdef __cplusplus

#include <cstddef>
#include <utility>

#include "../unknwn.h"

namespace Microsoft {
namespace WRL {

template <typename Interface>
class ComPtr;

namespace Details {

/* The type of &pointer: the place for a new reference, with the old one given up; or the pointer itself, where one
 * is asked for. */
template <typename Interface>
class ComPtrRef {
public:
    explicit ComPtrRef(ComPtr<Interface>* pointer) noexcept : pointer_(pointer) {}
    operator Interface**() const noexcept { return pointer_->ReleaseAndGetAddressOf(); }
    operator void**() const noexcept { return reinterpret_cast<void**>(pointer_->ReleaseAndGetAddressOf()); }
    operator ComPtr<Interface>*() const noexcept { return pointer_; }
    Interface* operator*() const noexcept { return pointer_->Get(); }

private:
    ComPtr<Interface>* pointer_;
};

}  // namespace Details

template <typename Interface>
class ComPtr {
public:
    using InterfaceType = Interface;

    ComPtr() noexcept = default;
    ComPtr(std::nullptr_t) noexcept {}
    /* Adds a reference. */
    ComPtr(Interface* other) noexcept : pointer_(other) { add_reference(); }
    ComPtr(const ComPtr& other) noexcept : pointer_(other.pointer_) { add_reference(); }
    template <typename Derived>
    ComPtr(const ComPtr<Derived>& other) noexcept : pointer_(other.Get()) {
        add_reference();
    }
    ComPtr(ComPtr&& other) noexcept : pointer_(other.Detach()) {}
    template <typename Derived>
    ComPtr(ComPtr<Derived>&& other) noexcept : pointer_(other.Detach()) {}
    ~ComPtr() noexcept { Reset(); }

    ComPtr& operator=(ComPtr other) noexcept {
        Swap(other);
        return *this;
    }

    Interface* Get() const noexcept { return pointer_; }
    Interface* operator->() const noexcept { return pointer_; }
    explicit operator bool() const noexcept { return pointer_ != nullptr; }
    Details::ComPtrRef<Interface> operator&() noexcept { return Details::ComPtrRef<Interface>(this); }

    Interface* const* GetAddressOf() const noexcept { return &pointer_; }
    Interface** GetAddressOf() noexcept { return &pointer_; }
    /* Gives the reference back first. */
    Interface** ReleaseAndGetAddressOf() noexcept {
        Reset();
        return &pointer_;
    }

    /* Takes over a reference, or gives it away. */
    void Attach(Interface* other) noexcept {
        Interface* const before = pointer_;
        pointer_ = other;
        if (before != nullptr) before->Release();
    }
    Interface* Detach() noexcept { return std::exchange(pointer_, nullptr); }

    /* Gives the reference back; returns the result of Release. */
    unsigned long Reset() noexcept {
        Interface* const before = std::exchange(pointer_, nullptr);
        return before != nullptr ? before->Release() : 0;
    }

    void Swap(ComPtr& other) noexcept { std::swap(pointer_, other.pointer_); }
    void Swap(ComPtr&& other) noexcept { std::swap(pointer_, other.pointer_); }

    /* S_OK; *other is a new reference. */
    HRESULT CopyTo(Interface** other) const noexcept {
        add_reference();
        *other = pointer_;
        return S_OK;
    }
    HRESULT CopyTo(REFIID riid, void** other) const noexcept { return pointer_->QueryInterface(riid, other); }

    /* Asks for another interface, by its identifier: the compilers here know none by its type. Call it with &other. */
    template <typename Other>
    HRESULT As(REFIID riid, Details::ComPtrRef<Other> other) const noexcept {
        return pointer_->QueryInterface(riid, other);
    }

private:
    void add_reference() const noexcept {
        if (pointer_ != nullptr) pointer_->AddRef();
    }

    Interface* pointer_ = nullptr;
};

template <typename One, typename Other>
bool operator==(const ComPtr<One>& one, const ComPtr<Other>& other) noexcept {
    return one.Get() == other.Get();
}
template <typename One, typename Other>
bool operator!=(const ComPtr<One>& one, const ComPtr<Other>& other) noexcept {
    return one.Get() != other.Get();
}
template <typename Interface>
bool operator==(const ComPtr<Interface>& pointer, std::nullptr_t) noexcept {
    return pointer.Get() == nullptr;
}
template <typename Interface>
bool operator!=(const ComPtr<Interface>& pointer, std::nullptr_t) noexcept {
    return pointer.Get() != nullptr;
}

}  // namespace WRL
}  // namespace Microsoft

#endif

#endif
