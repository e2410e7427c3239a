// SPDX-License-Identifier: MIT
// The checking layer of one process, but for its transport (transport/watch/misuse): the rules that the layers below and beside tell of.
#pragma once

#include "base/checker.h"
#include "check/check_mode.h"
#include "check/diagnostics.h"
#include "check/overlapped_uses.h"
#include "check/released_objects.h"
#include "check/unreleased_objects.h"

namespace opennd {

// Never destroyed once set_checker() has it.
class ProgramChecker final : public Checker {
public:
    explicit ProgramChecker(CheckMode mode) : diagnostics_(mode) {}

    Diagnostics& diagnostics() { return diagnostics_; }

    void tell(const Misuse& misuse) noexcept override;
    void made(const void* object, std::string_view kind) noexcept override;
    void released(const void* object) noexcept override;
    void used_after_release(const void* object, std::string_view method) noexcept override;
    void began(const void* overlapped, const void* object) noexcept override;
    void ends(const void* overlapped) noexcept override;
    void asked(const void* overlapped, const void* object) noexcept override;
    void at_exit() noexcept override;

private:
    Diagnostics diagnostics_;
    UnreleasedObjects objects_;
    ReleasedObjects released_;
    OverlappedUses overlapped_{diagnostics_};
};

}  // namespace opennd
