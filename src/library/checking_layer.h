// SPDX-License-Identifier: MIT
// The checking layer of OPENND_CHECK, put together: what the faces and the core tell, and a transport around the transport.
#pragma once

#include <memory>

#include "check/check_mode.h"
#include "check/program_checker.h"
#include "check/transport/transport.h"
#include "transport/adapter.h"

namespace opennd {

class CheckingLayer {
public:
    CheckingLayer(CheckMode mode, Transport& inner) : checker_(mode), transport_(inner, checker_.diagnostics()) {}

    Checker& checker() { return checker_; }
    Transport& transport() { return transport_; }
    const ContextReader& contexts() const { return transport_; }

private:
    ProgramChecker checker_;
    CheckedTransport transport_;
};

// Null: off. Otherwise it is the checker of the process from here on, and is never destroyed.
std::unique_ptr<CheckingLayer> make_checking_layer(CheckMode mode, Transport& inner);

}  // namespace opennd
