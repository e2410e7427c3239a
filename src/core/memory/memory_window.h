// SPDX-License-Identifier: MIT
// A memory window and its binding, as the posting thread sees it. QueuePair::bind and ::invalidate use it;
// transport/window_binding.h defines bindings and their ends.
#pragma once

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "core/adapter/live_objects.h"
#include "core/memory/binding_list.h"
#include "model/token.h"

namespace opennd {

class Adapter;
class QueuePair;

class MemoryWindow final : public RefCounted {
public:
    // `invalidated_context`: see BindingTerms.
    explicit MemoryWindow(Ref<Adapter> adapter, void* invalidated_context = nullptr);
    // not_supported, explained: the adapter has no memory windows. A face asks before it makes one.
    static Status check_supported(const Adapter& adapter);
    ~MemoryWindow() override;

    const Adapter& adapter() const { return *adapter_; }
    void* invalidated_context() const { return invalidated_context_; }

    // Its number among the windows of the process, for people who look into it.
    std::uint32_t number() const { return place_.number(); }

    // Token::none if it is not bound (ND2-MW-01, -04). Any thread.
    Token remote_token() const EXCLUDES(mutex_);

    // For QueuePair: may a Bind be posted on it? success: this caller binds, and calls bound() or bind_failed(); another
    // gets invalid_state until then. invalid_state: bound or being bound, unless its Invalidate is on its way through the
    // same queue pair, which will execute it first (ND2-QP-INV-04).
    Status begin_bind(const QueuePair& queue_pair) EXCLUDES(mutex_);
    void bound(Ref<TransportWindowBinding> binding, const QueuePair& queue_pair) EXCLUDES(mutex_);
    void bind_failed() EXCLUDES(mutex_);

    // The binding that an Invalidate posted on this queue pair now would end: null if the window is not bound there.
    Ref<TransportWindowBinding> binding_on(const QueuePair& queue_pair) const EXCLUDES(mutex_);
    void invalidate_posted(const Ref<TransportWindowBinding>& binding) EXCLUDES(mutex_);

    // Releases it for the program: unbound, no access in progress on return (ND2-MW-06). Once.
    void close() EXCLUDES(mutex_);

private:
    const Ref<Adapter> adapter_;
    void* const invalidated_context_;

    mutable Mutex mutex_;  // nothing is called under it
    // The newest; null before the first Bind. It may have ended by itself.
    Ref<TransportWindowBinding> binding_ GUARDED_BY(mutex_);
    const QueuePair* bound_on_ GUARDED_BY(mutex_) = nullptr;  // only compared
    bool being_bound_ GUARDED_BY(mutex_) = false;             // between begin_bind and its end
    bool being_invalidated_ GUARDED_BY(mutex_) = false;       // an Invalidate of binding_ was posted
    BindingList all_ GUARDED_BY(mutex_);

    LiveObjects<MemoryWindow>::Place place_;
};

}  // namespace opennd
