/* SPDX-License-Identifier: MIT
 *
 * SoftQueuePair::serve() beside PeerBell::ring() and a poller that takes frames and says nothing, as one does whose
 * completion queue is armed: a frame that nobody else takes is taken by the service thread. The poller stops at any time.
 *
 * A frame that lies for good is an end state in which the service thread waits for an octet.
 *
 * TRUSTS_FIRST_ROUND: a frame that shows after the first round and did not move in that round is left to somebody else,
 * though it came in between and its producer did not ring.
 */
#define THREADS 3
#define FRAMES 3
#define ITEM 0
#define ATTENTION 1
#define LOCK 2
#define TAKEN 3 /* stored under LOCK */
#define LOADS(q, v) ((v) == ((q) == 0 -> ATTENTION : TAKEN))
#define ACQUIRES(q, v) ((q) != 0 && (v) == ITEM)
#define EXCHANGES(q, v) ((q) == 0 && (v) == ATTENTION)
#include "memory.pml"

#define ASLEEP 0
#define RUNG 1

byte octets;

active proctype producer() {
    byte me = 0, attention, number;
    bool done;
    do
    :: number == FRAMES -> break
    :: else ->
        number++;
        store_release(ITEM, number);
        full_barrier();
        load(ATTENTION, attention);
        if
        :: attention != ASLEEP
        :: else ->
            compare_exchange(ATTENTION, ASLEEP, RUNG, done);
            if
            :: done && octets == 0 -> octets = 1
            :: done && octets == 1 -> compare_exchange(ATTENTION, RUNG, ASLEEP, done)
            :: !done
            fi
        fi
    od
}

inline take_one() {
    load_acquire(ITEM, item);
    load(TAKEN, taken);
    if
    :: item != taken -> taken++; store(TAKEN, taken)
    :: else
    fi
}

active proctype poller() {
    byte me = 1, item, taken;
    do
    :: spin_lock(LOCK); take_one(); spin_unlock(LOCK)
    :: true -> break
    od
}

active proctype service() {
    byte me = 2, item, taken, before;
    bool later;
asleep:
    if
    :: atomic { seen[TAKEN] == FRAMES -> goto all }
    :: octets != 0 -> octets = 0; hear()
    fi;
    later = false;
round:
    load(TAKEN, before);
    spin_lock(LOCK);
    take_one();
    spin_unlock(LOCK);
    store(ATTENTION, ASLEEP);
    full_barrier();
    load_acquire(ITEM, item);
    load(TAKEN, taken);
    if
    :: item == taken -> goto asleep
#ifndef TRUSTS_FIRST_ROUND
    :: item != taken && (!later || taken != before) -> later = true; goto round
    :: item != taken && later && taken == before -> goto asleep
#else
    :: item != taken && taken != before -> goto round
    :: item != taken && taken == before -> goto asleep
#endif
    fi;
all:
    skip
}
