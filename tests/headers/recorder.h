// SPDX-License-Identifier: MIT
//
// UnknownRecorder: an object of an interface that writes down which of its methods are called.
// Read vtable_v2_test.cpp for its use.
#pragma once

#include <gtest/gtest.h>
#include <ndspi.h>

#include <string>
#include <vector>

using Calls = std::vector<std::string>;

// gcc objects to a base without a virtual destructor, and an interface is one.
OPENND_BEGIN_INTERFACES

template <typename Interface>
struct UnknownRecorder : Interface {
    // Data and a destructor of an implementation come behind the interface's slots and move none of them.
    Calls calls;
    virtual ~UnknownRecorder() = default;

    HRESULT QueryInterface(REFIID riid, LPVOID*) override {
        return record(riid == IID_IUnknown ? "QueryInterface" : "QueryInterface with another identifier");
    }
    ULONG AddRef() override { return record("AddRef"); }
    ULONG Release() override { return record("Release"); }

protected:
    int record(const char* method) {
        calls.emplace_back(method);
        return 0;
    }
};

OPENND_END_INTERFACES

// The methods called on a Recorder when C code calls all its slots in order.
template <typename Recorder, typename Interface>
Calls calls_of(void (*call_all_slots)(Interface*)) {
    static_assert(sizeof(Interface) == sizeof(void*), "an interface is its vtable pointer and nothing else");
    Recorder recorder;
    call_all_slots(&recorder);
    return recorder.calls;
}
