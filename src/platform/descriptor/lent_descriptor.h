// SPDX-License-Identifier: MIT
// A descriptor that belongs to a library which this one uses.
#pragma once

#include "platform/descriptor/descriptor.h"

namespace opennd {

// That library closes it, after this object's end. A child of fork closes its copy as it does those of Descriptors.
class LentDescriptor {
public:
    explicit LentDescriptor(int fd) : lent_(fd) {}
    LentDescriptor(const LentDescriptor&) = delete;
    LentDescriptor& operator=(const LentDescriptor&) = delete;
    ~LentDescriptor() { (void)lent_.release(); }

private:
    Descriptor lent_;
};

}  // namespace opennd
