/* SPDX-License-Identifier: MIT
 *
 * SoftCompletionQueue::arm() beside SoftQueuePair::count_poll() of the queue pair's other completion queue, and PeerBell::ring():
 * two threads change the attention of one connection, and a frame that comes meanwhile is taken or rung for. The poller stops at any time.
 *
 * A lost wake-up is an end state in which the thread that armed waits for an octet.
 *
 * LOOKS_FIRST: a thread looks at the attention and changes it then, in two steps. REPLACES_POLLING: a poller that says awake does not care
 * what was said before.
 */
#define THREADS 3
#define ITEM 0
#define ATTENTION 1 /* Lane::Wishes::attention, stored under wish_lock_ */
#define ARMED 2
#define POLLS 3 /* PollPacing::polls_since_armed_; a peer relies on the second */
#define LOADS(q, v) ((q) == 0 && (v) == ATTENTION || (q) != 0 && ((v) == ARMED || (v) == POLLS))
#define ACQUIRES(q, v) ((q) != 0 && (v) == ITEM)
#define EXCHANGES(q, v) ((q) == 0 && (v) == ATTENTION)
#include "memory.pml"

#define ASLEEP 0
#define RUNG 1
#define AWAKE 2
#define POLLING 3

byte own; /* LaneAttention::attention_, under wish_lock_ */
byte octets;
bool taken;

active proctype producer() {
    byte me = 0, attention;
    bool done;
    store_release(ITEM, 1);
    light_barrier();
    load(ATTENTION, attention);
    if
    :: attention == POLLING
    :: else ->
        full_barrier();
        load(ATTENTION, attention);
        if
        :: attention != ASLEEP
        :: else ->
            compare_exchange(ATTENTION, ASLEEP, RUNG, done);
            if
            :: done -> octets = 1
            :: else
            fi
        fi
    fi
}

/* The lock, as one step: what its last holder stored is shown. */
inline set_attention(attention) {
#ifdef LOOKS_FIRST
    before = own;
#endif
    atomic {
        !((waiting[0] | waiting[1] | waiting[2]) & BIT(ATTENTION)) ->
        FENCE(me);
#ifndef LOOKS_FIRST
        before = own;
#endif
        own = attention;
        late[AT(me, ATTENTION)] = attention;
        after[AT(me, ATTENTION)] = waiting[me];
        waiting[me] = waiting[me] | BIT(ATTENTION)
    }
}

inline ask_to_be_woken() {
    store(POLLS, 0);
    set_attention(ASLEEP);
    if
    :: before == POLLING -> heavy_barrier()
    :: else -> full_barrier()
    fi
}

inline look() {
    load_acquire(ITEM, item);
    if
    :: item == 1 -> taken = true
    :: else
    fi
}

active proctype poller() {
    byte me = 1, armed, polls, round, before, item;
    do
    :: true -> break
    :: round < 3 ->
        round++;
        load(ARMED, armed);
        load(POLLS, polls);
        if
        :: armed || polls == 2 -> goto counted
        :: else
        fi;
        store(POLLS, polls + 1);
        if
        :: polls == 0 ->
            set_attention(AWAKE);
#ifndef REPLACES_POLLING
            if
            :: before == POLLING -> heavy_barrier()
            :: else
            fi
#endif
        :: else -> set_attention(POLLING)
        fi;
        full_barrier();
        load(ARMED, armed);
        if
        :: armed -> ask_to_be_woken()
        :: else
        fi;
counted:
        look()
    od
}

active proctype armer() {
    byte me = 2, before, item;
    store(ARMED, 1);
    full_barrier();
    ask_to_be_woken();
    look();
    do
    :: taken -> break
    :: octets != 0 -> octets = 0; hear(); look()
    od
}
