// SPDX-License-Identifier: MIT
// IUnknown, once for all objects of all faces.
//
// Two counts. The program's, which AddRef and Release return, counts the program's references only, because programs
// assert that their last Release gives 0 (ND2-COM-06). The internal one (RefCounted) keeps the memory: all of the
// program's references together are one of it, a call in progress that was given the object is another. When the first
// count reaches 0 the object closes; when the second does, it is freed.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <typeinfo>
#include <utility>

#include "base/checker.h"
#include "base/fork_step.h"
#include "base/ref.h"
#include "ndspi.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/interface_ids.h"
#include "spi/method_names.h"

namespace opennd {

// The beginning of a kept object, where the object had its table.
struct ReleasedObject {
    const void* table;
    const char* methods;  // as in method_names.h
};

inline constexpr std::size_t kUnknownMethods = 3;  // which all interfaces begin with
inline constexpr std::size_t kMostMethods = 16;

// Takes the memory of an object whose destructor has run, from operator new. Under the checking layer that of the newest ones stays, with
// a table of methods that tell of each call (CHECK-AFTER-RELEASE); without it memory is freed at once. It frees the oldest that it has kept.
void keep_released(void* memory, const char* methods) noexcept;

// Interfaces have no virtual destructor; deletion goes through RefCounted, which has one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

// Self is the final class and has `static constexpr GUID kPrivateIid`, unknown to other modules: a query for it answers
// with Self and so tells our objects from all others (ND2-GEN-06). Self implements Interface, Bases are the bases of
// Interface; they derive from each other in one line, so that one pointer value serves all.
template <typename Self, typename Interface, typename... Bases>
class ComObject : public Interface, public RefCounted {
public:
    using PublicInterface = Interface;
    // The interface that reports of the checking layer name.
    using ShownInterface = Interface;

    // True for the IIDs that QueryInterface and Create methods accept (ND2-COM-02, -03).
    static bool supports(REFIID iid) noexcept {
        return iid == iid_of<Interface>() || ((iid == iid_of<Bases>()) || ...);
    }

    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, LPVOID* object) noexcept override {
        if (object == nullptr) return E_POINTER;
        *object = nullptr;
        if (!supports(iid) && iid != Self::kPrivateIid) return E_NOINTERFACE;
        *object = static_cast<Interface*>(this);
        AddRef();
        return S_OK;
    }

    ULONG STDMETHODCALLTYPE AddRef() noexcept override { return clients_.fetch_add(1, std::memory_order_relaxed) + 1; }

    // A Release too many does nothing as long as something internal keeps the object (ND2-COM-07).
    ULONG STDMETHODCALLTYPE Release() noexcept override {
        ULONG count = clients_.load(std::memory_order_relaxed);
        do {
            if (count == 0) {
                if (Checker* const checks = checker()) checks->used_after_release(this, "Release");
                return 0;
            }
            // acq_rel: the closing thread sees all writes that the other owners made before their releases.
        } while (
            !clients_.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
        // In a child of fork a thread of the parent may have been in any lock of the object: its memory stays (ND2-GEN-11).
        if (count == 1 && generation_ == process_generation()) {
            if (Checker* const checks = checker()) checks->released(this);
            at_face([this] { return close(), S_OK; });
            drop_ref();  // may free the object
        }
        return count - 1;
    }

    // Gives the program its first reference.
    void hand_out(void** object) noexcept {
        add_ref();
        clients_.store(1, std::memory_order_relaxed);
        *object = static_cast<Interface*>(this);
        if (Checker* const checks = checker()) checks->made(this, typeid(typename Self::ShownInterface).name());
    }

    static void* operator new(std::size_t bytes) { return ::operator new(bytes); }
    // After the destructor. Under the checking layer a later call is told.
    static void operator delete(void* memory) noexcept {
        static_assert(sizeof(Self) >= sizeof(ReleasedObject));
        static_assert(kUnknownMethods + method_count(kMethodNames<Interface>) <= kMostMethods);
        if (checker() == nullptr) return ::operator delete(memory);
        keep_released(memory, kMethodNames<Interface>);
    }

protected:
    // The program's last reference is gone (ND2-COM-10). Once.
    virtual void close() = 0;

private:
    std::atomic<ULONG> clients_{0};
    const unsigned generation_ = process_generation();
};

#pragma GCC diagnostic pop

// The object behind an interface pointer if it is a Face of this module, otherwise null.
template <typename Face>
Ref<Face> own_object(IUnknown* unknown) noexcept {
    void* found = nullptr;
    if (unknown == nullptr || FAILED(unknown->QueryInterface(Face::kPrivateIid, &found)) || found == nullptr)
        return nullptr;
    Ref<Face> face(static_cast<Face*>(static_cast<typename Face::PublicInterface*>(found)));
    unknown->Release();  // the program's own reference stays
    return face;
}

// The first step of every Create and Open method. E_POINTER; E_NOINTERFACE; S_OK. Nulls the output (ND2-COM-04).
template <typename Face>
HRESULT check_output(const Site& site, REFIID iid, void** object) noexcept {
    if (object == nullptr) return refuse_null(E_POINTER, site, "the output interface pointer");
    *object = nullptr;
    return Face::supports(iid) ? S_OK : refuse_interface(site, iid);
}

}  // namespace opennd
