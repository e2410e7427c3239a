/* SPDX-License-Identifier: MIT
 *
 * SoftCompletionQueue::arm() beside SoftQueuePair::count_poll() of the queue pair's other completion queue, and RingChannel::wake_peer():
 * two threads change the attention of one connection, and a frame that comes meanwhile is taken or rung for. The poller stops at any time.
 *
 * A lost wake-up is an end state in which the thread that armed waits for an octet.
 *
 * LOOKS_FIRST: a thread looks at the attention and changes it then, in two steps.
 */
#define THREADS 3
#define ITEM 0
#define ATTENTION 1 /* Lane::Wishes::attention */
#define OWN 2       /* RingChannel::attention_ */
#define ARMED 3
#define WISH_LOCK 4
#define LOADS(q, v) ((v) == ((q) == 0 -> ATTENTION : OWN) || (q) != 0 && (v) == ARMED)
#include "memory.pml"

#define ASLEEP 0
#define RUNG 1
#define AWAKE 2
#define POLLING 3

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

inline set_attention(attention) {
#ifdef LOOKS_FIRST
    load(OWN, before);
    spin_lock(WISH_LOCK);
#else
    spin_lock(WISH_LOCK);
    load(OWN, before);
#endif
    store(OWN, attention);
    store(ATTENTION, attention);
    spin_unlock(WISH_LOCK)
}

inline ask_to_be_woken() {
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
    byte me = 1, armed, attention = AWAKE, before, item;
    do
    :: attention > POLLING -> break
    :: true -> break
    :: attention <= POLLING ->
        load(ARMED, armed);
        if
        :: armed -> break
        :: else
        fi;
        set_attention(attention);
        attention++;
        full_barrier();
        load(ARMED, armed);
        if
        :: armed -> ask_to_be_woken()
        :: else
        fi;
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
