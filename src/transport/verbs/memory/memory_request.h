// SPDX-License-Identifier: MIT
// A request that changes what a token names, a Bind, a FastRegister or an Invalidate, as the memory sees it: its subject, which learns
// the outcome, and its queue pair.
#pragma once

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "model/work_request.h"
#include "transport/completion/after_lock.h"

namespace opennd::verbs {

// The subject of such a request: a part of the TransportRequestSubject.
class SettledSubject {
public:
    // Any lock may be held.
    virtual void completed(Operation operation, bool succeeded, AfterLock& after) = 0;

protected:
    ~SettledSubject() = default;
};

// The queue pair of such a request.
class AwaitedQueuePair {
public:
    // The object that has the count of references.
    virtual const RefCounted& object() const = 0;
    virtual QueuePairState state() const = 0;
    // Begins and ends the caller's wait for one of its initiator requests. In between, results are taken out of the
    // hardware as they come, though nobody polls. No lock held.
    virtual void begin_awaiting() = 0;
    virtual void end_awaiting() = 0;

protected:
    ~AwaitedQueuePair() = default;
};

}  // namespace opennd::verbs
