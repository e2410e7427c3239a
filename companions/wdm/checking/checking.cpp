// SPDX-License-Identifier: MIT
// See checking.h and kernel/checking.h.
#include "wdm/checking/checking.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string_view>

#include "opennd.h"

namespace opennd::wdm {
namespace {

const char* text_of(opennd_wdm_rule rule) {
    switch (rule) {
        case OPENND_WDM_RULE_IRQL: return "a call is made at a level it allows, and the level is restored";
        case OPENND_WDM_RULE_LOCK: return "a lock is released by the thread that holds it, and not taken twice";
        case OPENND_WDM_RULE_FREE: return "memory is freed once, by the counterpart of its allocation";
        case OPENND_WDM_RULE_IN_USE: return "an object in use is not freed, deleted or queued again";
        case OPENND_WDM_RULE_CLOSED: return "an object is not used or closed again once its close has begun";
        case OPENND_WDM_RULE_CALLBACK: return "a callback comes once, and none after a close has completed";
        case OPENND_WDM_RULE_LEAK: return "everything is freed and closed before the end";
        case OPENND_WDM_RULE_INITIALIZED: return "an object is initialised before it is used";
        case OPENND_WDM_RULE_LIST: return "the links of a list agree";
        case OPENND_WDM_RULE_ASSERTION: return "the consumer's assertions hold";
        case OPENND_WDM_RULE_REFERENCE_COUNT: return "nothing is released more often than it was acquired";
    }
    return "";
}

opennd_wdm_checking checking_from_environment() {
    const char* const text = ::secure_getenv("OPENND_WDM_CHECKING");
    const std::string_view wanted = text != nullptr ? text : "";
    if (wanted == "off") return OPENND_WDM_CHECKING_OFF;
    if (wanted == "abort") return OPENND_WDM_CHECKING_ABORT;
    if (!wanted.empty() && wanted != "report")
        opennd_log_write(OPENND_LOG_ERROR, "OPENND_WDM_CHECKING: expected report, abort or off");
    return OPENND_WDM_CHECKING_REPORT;
}

class Checking {
public:
    Checking() : mode_(checking_from_environment()) {}

    opennd_wdm_checking mode() const { return mode_.load(std::memory_order_relaxed); }
    void set_mode(opennd_wdm_checking mode) { mode_.store(mode, std::memory_order_relaxed); }

    void set_sink(opennd_wdm_violation_sink sink, void* context) {
        const std::lock_guard held(mutex_);
        sink_ = sink;
        context_ = context;
    }

    ULONG64 count() const { return count_.load(std::memory_order_relaxed); }

    void say(const opennd_wdm_violation& violation) {
        count_.fetch_add(1, std::memory_order_relaxed);
        if (mode() == OPENND_WDM_CHECKING_OFF) return;
        opennd_wdm_violation_sink sink = nullptr;
        void* context = nullptr;
        {
            const std::lock_guard held(mutex_);
            sink = sink_;
            context = context_;
        }
        if (sink != nullptr)
            sink(context, &violation);
        else
            opennd_log_write(OPENND_LOG_ERROR, violation.text);
        if (mode() == OPENND_WDM_CHECKING_ABORT) std::abort();
    }

private:
    std::atomic<opennd_wdm_checking> mode_;
    std::atomic<ULONG64> count_{0};
    std::mutex mutex_;  // guards the two below; not held while the sink runs, which may break rules itself
    opennd_wdm_violation_sink sink_ = nullptr;
    void* context_ = nullptr;
};

// Never destroyed: leaks are reported while the process ends.
Checking& checking() {
    static auto* const instance = new Checking;
    return *instance;
}

}  // namespace

bool is_checking() { return checking().mode() != OPENND_WDM_CHECKING_OFF; }

void report(opennd_wdm_rule rule, Subject subject, const std::string& what) {
    std::ostringstream text;
    text << "consumer: " << subject.kind;
    if (subject.address != nullptr) text << ' ' << subject.address;
    text << ": " << what << " (rule: " << text_of(rule) << ')';
    const std::string whole = text.str();
    checking().say({.rule = rule, .object = subject.kind, .address = subject.address, .text = whole.c_str()});
}

bool expect_irql_at_most(KIRQL highest, const char* call, Subject subject) {
    const KIRQL now = KeGetCurrentIrql();
    if (now <= highest) return true;
    report(OPENND_WDM_RULE_IRQL, subject,
           std::string(call) + " was called at " + name_of(now) + ", and is allowed at " + name_of(highest) +
               (highest == PASSIVE_LEVEL ? "" : " and below") + "; do it on another thread, or after the lock is left");
    return false;
}

const char* name_of(KIRQL irql) {
    switch (irql) {
        case PASSIVE_LEVEL: return "PASSIVE_LEVEL";
        case APC_LEVEL: return "APC_LEVEL";
        case DISPATCH_LEVEL: return "DISPATCH_LEVEL";
        default: return "a level above DISPATCH_LEVEL";
    }
}

}  // namespace opennd::wdm

using namespace opennd::wdm;

VOID opennd_wdm_set_checking(opennd_wdm_checking checking_mode) { checking().set_mode(checking_mode); }

VOID opennd_wdm_set_violation_sink(opennd_wdm_violation_sink sink, PVOID context) {
    checking().set_sink(sink, context);
}

ULONG64 opennd_wdm_violation_count(VOID) { return checking().count(); }

VOID opennd_wdm_assertion_failed(const char* expression, const char* file, int line) {
    report(OPENND_WDM_RULE_ASSERTION, {"assertion", nullptr},
           std::string(expression) + " does not hold in " + file + ":" + std::to_string(line));
}

VOID opennd_wdm_paged_code(const char* function) {
    (void)expect_irql_at_most(APC_LEVEL, function, {"pageable code", nullptr});
}

VOID opennd_wdm_list_broken(const VOID* entry, const char* function) {
    report(OPENND_WDM_RULE_LIST, {"list entry", entry},
           std::string(function) +
               " found neighbours that do not point back: it was removed before, or its memory reused");
}
