// SPDX-License-Identifier: MIT
// A library of the system that a host may lack: OpenND is not linked with it, and loads it at the first need.
#pragma once

#include <memory>
#include <string>

#include "base/format.h"
#include "platform/process/shared_object.h"

namespace opennd {

// Lives while the functions of the library are found; the names of those that it lacks are collected.
class OptionalLibrary {
public:
    // `packages`: static text, what to install where it is missing.
    OptionalLibrary(const char* name, const char* packages)
        : name_(name), packages_(packages), object_(SharedObject::load(name, reason_)) {}

    // Null: this or another part is missing.
    template <typename Function>
    void find(Function*& function, const char* symbol) {
        function = object_ ? object_->find<Function>(symbol) : nullptr;
        if (object_ && !function) reason_ += format("{}it has no {}", reason_.empty() ? "" : "; ", symbol);
    }

    // Loads the library for good: threads of it may run, and it may keep addresses of its own. False: something is missing.
    bool keep() const {
        if (!object_ || !reason_.empty()) return false;
        object_->pin();
        return true;
    }

    // Returns the reason why keep() was false.
    std::string failure() const { return format("{}: {}; install {}", name_, reason_, packages_); }

private:
    const char* const name_;
    const char* const packages_;
    std::string reason_;
    const std::unique_ptr<SharedObject> object_;
};

}  // namespace opennd
