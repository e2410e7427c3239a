// SPDX-License-Identifier: MIT
// Shared ownership of resources: one count inside the object, Ref<T> outside. Children hold Refs to parents, never the
// other way (style: ownership).
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace opennd {

// Base of everything that Ref counts. Born with count 0: the first Ref makes it 1.
class RefCounted {
public:
    RefCounted() = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;

    void add_ref() const { count_.fetch_add(1, std::memory_order_relaxed); }
    // False: the count was 0, and the object is being destroyed. For a list without references of its own, which the
    // destructor leaves under the list's lock.
    bool try_add_ref() const {
        std::uint32_t count = count_.load(std::memory_order_relaxed);
        while (count != 0)
            if (count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
        return false;
    }
    void drop_ref() const {
        // acq_rel: the last owner sees all writes that the other owners made before their releases.
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

protected:
    virtual ~RefCounted() = default;

private:
    mutable std::atomic<std::uint32_t> count_{0};
};

template <typename T>
class Ref {
public:
    Ref() = default;
    Ref(std::nullptr_t) {}
    explicit Ref(T* object) : object_(object) {
        if (object_) object_->add_ref();
    }
    Ref(const Ref& other) : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <typename U>
    Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
    ~Ref() {
        if (object_) object_->drop_ref();
    }
    // Null if `object` is being destroyed (try_add_ref).
    static Ref if_alive(T* object) {
        Ref ref;
        if (object->try_add_ref()) ref.object_ = object;
        return ref;
    }
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }

    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

private:
    T* object_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
    return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace opennd
