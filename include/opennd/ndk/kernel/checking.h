/* SPDX-License-Identifier: MIT
 *
 * checking.h: reports when a consumer breaks a rule of the kernel. OpenND's own; no driver includes it.
 *
 * Every rule is checked in every program. A broken rule is reported once where it is found, with the object, the rule
 * and the remedy; the call then does the least harmful thing, which its description tells. The environment variable
 * OPENND_WDM_CHECKING (report, abort, off) sets the effect of a report until opennd_wdm_set_checking does.
 */
#ifndef OPENND_KERNEL_CHECKING_H
#define OPENND_KERNEL_CHECKING_H

#include "types.h"

typedef enum opennd_wdm_rule {
    OPENND_WDM_RULE_IRQL = 1,        /* the call is not allowed at this IRQL, or IRQL was not restored */
    OPENND_WDM_RULE_LOCK = 2,        /* a lock is released by its holder, and taken once */
    OPENND_WDM_RULE_FREE = 3,        /* memory is freed once, by the counterpart of its allocation */
    OPENND_WDM_RULE_IN_USE = 4,      /* nothing is freed, deleted or queued again while it is in use */
    OPENND_WDM_RULE_CLOSED = 5,      /* nothing is used, or closed again, once its close has begun */
    OPENND_WDM_RULE_CALLBACK = 6,    /* no callback after a close has completed, or of a request that did not pend */
    OPENND_WDM_RULE_LEAK = 7,        /* at the end of the process everything is freed and closed */
    OPENND_WDM_RULE_INITIALIZED = 8, /* an object is initialised before it is used */
    OPENND_WDM_RULE_LIST = 9,        /* the links of a list agree */
    OPENND_WDM_RULE_ASSERTION = 10,  /* NT_ASSERT, NT_VERIFY */
    OPENND_WDM_RULE_REFERENCE_COUNT = 11 /* nothing is released more often than it was acquired */
} opennd_wdm_rule;

/* One broken rule. The texts are valid during the call. */
typedef struct opennd_wdm_violation {
    opennd_wdm_rule rule;
    const char* object; /* its kind: "spin lock", "pool block" */
    const VOID* address;
    const char* text; /* the whole report: the object, the forbidden act, the rule */
} opennd_wdm_violation;

typedef enum opennd_wdm_checking {
    OPENND_WDM_CHECKING_OFF = 0,    /* nothing is said */
    OPENND_WDM_CHECKING_REPORT = 1, /* to the sink, or to OpenND's log as an error; the default */
    OPENND_WDM_CHECKING_ABORT = 2   /* as above, and then the process aborts, so that a core shows the call */
} opennd_wdm_checking;

/* Called from the thread that broke the rule, several at a time; at the IRQL of that thread. */
typedef VOID (*opennd_wdm_violation_sink)(PVOID context, const opennd_wdm_violation* violation);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

VOID NTAPI opennd_wdm_set_checking(opennd_wdm_checking checking);

/* Sends reports to sink instead of the log; NULL: to the log again. A report in progress may still use the one before. */
VOID NTAPI opennd_wdm_set_violation_sink(opennd_wdm_violation_sink sink, PVOID context);

/* The number of rules broken so far, in every mode. */
ULONG64 NTAPI opennd_wdm_violation_count(VOID);

/* Reports everything that is allocated or open now as leaked, and returns how many; the end of the process does so by
 * itself. For hosts that load and unload several consumers. */
SIZE_T NTAPI opennd_wdm_report_leaks(VOID);

/* Behind NT_ASSERT, PAGED_CODE and the lists' functions. */
VOID NTAPI opennd_wdm_assertion_failed(const char* expression, const char* file, int line);
VOID NTAPI opennd_wdm_paged_code(const char* function);
VOID NTAPI opennd_wdm_list_broken(const VOID* entry, const char* function);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
