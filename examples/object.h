// SPDX-License-Identifier: MIT
//
// Shared by all examples: references that let go by themselves, errors as exceptions, an address.
#pragma once

#include <arpa/inet.h>
#include <ndsupport.h>
#include <opennd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace example {

// ND_TIMEOUT, by its number a success, is the failure of a request of version 1.
inline void need(HRESULT status, const char* what) {
    if (FAILED(status) || status == ND_TIMEOUT)
        throw std::runtime_error(std::string(what) + ": " + opennd_status_name(status));
}

inline void expect(bool fulfilled, const char* otherwise) {
    if (!fulfilled) throw std::runtime_error(otherwise);
}

// Owns one reference.
template <typename T>
class Object {
public:
    Object() = default;
    Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Object() {
        if (object_) object_->Release();
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    // Where a call that makes the object puts it.
    void** out() { return reinterpret_cast<void**>(&object_); }
    T** typed_out() { return &object_; }  // of version 1

private:
    T* object_ = nullptr;
};

inline sockaddr_in loopback(unsigned short port = 0) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

inline const sockaddr* generic(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }
inline sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

}  // namespace example
