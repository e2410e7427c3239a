// SPDX-License-Identifier: MIT
// The level of each thread, the threads of OpenND's callbacks included.
#include "kernel/irql.h"

#include <algorithm>
#include <string>

#include "opennd_ndk.h"
#include "wdm/checking/checking.h"

using namespace opennd::wdm;

namespace {

constinit thread_local KIRQL level = PASSIVE_LEVEL;

constexpr Subject kThisThread{"thread", nullptr};

// Beneath which a thread is not while it runs a callback of OpenND's.
KIRQL floor_level() { return opennd_ndk_in_callback() != FALSE ? DISPATCH_LEVEL : PASSIVE_LEVEL; }

}  // namespace

KIRQL KeGetCurrentIrql(VOID) { return std::max(level, floor_level()); }

VOID KeRaiseIrql(KIRQL NewIrql, PKIRQL OldIrql) {
    const KIRQL before = KeGetCurrentIrql();
    *OldIrql = before;
    if (NewIrql < before || NewIrql > DISPATCH_LEVEL) {
        report(OPENND_WDM_RULE_IRQL, kThisThread,
               std::string("KeRaiseIrql asks for ") + name_of(NewIrql) + " at " + name_of(before));
        return;
    }
    level = NewIrql;
}

KIRQL KeRaiseIrqlToDpcLevel(VOID) {
    const KIRQL before = KeGetCurrentIrql();
    level = DISPATCH_LEVEL;
    return before;
}

VOID KeLowerIrql(KIRQL NewIrql) {
    const KIRQL before = KeGetCurrentIrql();
    if (NewIrql > before || NewIrql < floor_level())
        report(OPENND_WDM_RULE_IRQL, kThisThread,
               std::string("KeLowerIrql asks for ") + name_of(NewIrql) + " at " + name_of(before) +
                   (NewIrql < before ? ", in a callback, which stays there" : ""));
    level = std::min(NewIrql, KIRQL{DISPATCH_LEVEL});
}

KIRQL opennd_wdm_callback_begins(VOID) {
    const KIRQL before = level;
    level = DISPATCH_LEVEL;
    return before;
}

VOID opennd_wdm_callback_ends(KIRQL OldIrql, const char* callback) {
    if (level != DISPATCH_LEVEL)
        report(OPENND_WDM_RULE_IRQL, {callback, nullptr},
               std::string("it was called at DISPATCH_LEVEL and returns at ") + name_of(level));
    level = OldIrql;
}
