// SPDX-License-Identifier: MIT
//
// The classes of the tests' vendor module: the last part of a class id selects its behaviour.
#pragma once

#include <ndspi.h>

namespace opennd::process::vendor {

enum class Behaviour : unsigned char {
    honest,
    direct_only,   // gives the provider, and no factory
    factory_only,  // gives a factory, and no provider
    no_class,      // fails, and leaves garbage in the output
    null_class,    // succeeds without an object
    throws_at_class,
    throws_at_list,
    throws_at_resolve,
    throws_at_open,
    insatiable,      // each list needs a little more than it was given
    huge_list,       // needs 4 GB
    shrinking_list,  // needs less than it was given
    wild_count,      // says that there are 1000 addresses
    wild_pointer,    // an address outside the buffer
    negative_length,
    null_adapter,     // opens, without an adapter
    refuses_to_open,  // ND_NO_MEMORY
    never_idle,       // DllCanUnloadNow says S_FALSE
    serves_loopback,  // 127.0.0.1 too, which is OpenND's
};

constexpr CLSID class_id(Behaviour behaviour) {
    return {0x0BADCAFE, 0x1234, 0x5678, {1, 2, 3, 4, 5, 6, 7, static_cast<unsigned char>(behaviour)}};
}

// An interface that only this vendor's adapters have.
constexpr IID kVendorIid = {0x7E57AB1E, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
// Where its adapters are: 192.0.2.77, and 2001:db8::77.
constexpr unsigned kAddress = 0xC000024D;

}  // namespace opennd::process::vendor
