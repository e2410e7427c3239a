/* SPDX-License-Identifier: MIT
 *
 * platform/thread/biased_lock.h: two threads are never inside, and what one stored the next one sees.
 * When the bias comes back is a count there, and any time here. Three threads that lock, or, WITH_TRY_LOCK, two that also try to;
 * WITH_VISITS, two of which one only reads in its second round, and hands the bias back.
 *
 * WITHOUT_HEAVY_BARRIER: the thread that turns the owner out does not make it visible. WITH_ONE_FLAG: all owners share one.
 */
#if defined(WITH_TRY_LOCK) || defined(WITH_VISITS)
#define THREADS 2
#else
#define THREADS 3
#endif
#define ROUNDS (me == 2 -> 1 : 2)
#define OWNER 0 /* thread + 1; 0: nobody */
#define SHARED 1
#define DATA 2
#define INSIDE 3 /* and the next ones: a flag for each owner */
#ifdef WITH_ONE_FLAG
#define FLAG(thread) INSIDE
#else
#define FLAG(thread) (INSIDE + (thread))
#endif
#define LOADS(q, v) ((v) == OWNER || (v) == DATA)
#define ACQUIRES(q, v) ((v) >= INSIDE && (v) < INSIDE + THREADS)
#define EXCHANGES(q, v) false
#include "memory.pml"

byte inside; /* threads */
byte entries;
bool entered_as_owner; /* guarded by the lock: only who is inside looks */

/* Holding SHARED. `left` is set: the owner is inside, and this thread does not wait for it. */
inline turn_out(may_wait) {
    load(OWNER, owner);
    if
    :: owner == 0 || owner == me + 1
    :: else ->
        store(OWNER, 0);
#ifndef WITHOUT_HEAVY_BARRIER
        heavy_barrier();
#endif
        if
        :: may_wait -> await(FLAG(owner - 1), 0)
        :: !may_wait ->
            load_acquire(FLAG(owner - 1), value);
            if
            :: value == 0
            :: else -> store(OWNER, owner); left = true
            fi
        fi
    fi
}

active [THREADS] proctype user() {
    byte me = _pid - 1, owner, round, value;
    bool waits, left;
    do
    :: round == ROUNDS -> break
    :: else ->
        /* lock() or try_lock() */
        waits = true;
#ifdef WITH_TRY_LOCK
        if :: waits = false :: true fi;
#endif
        left = false;
        load(OWNER, owner);
        if
        :: owner == me + 1 ->
            store(FLAG(me), 1);
            light_barrier();
            load(OWNER, owner);
            if
            :: owner == me + 1 -> entered_as_owner = true; goto entered
            :: else -> store_release(FLAG(me), 0)
            fi
        :: else
        fi;
        spin_lock(SHARED);
        turn_out(waits);
        if :: left -> spin_unlock(SHARED); goto away :: else fi;
        entered_as_owner = false;
#ifdef WITH_VISITS
        if
        :: me == 1 && round == 1 ->
            inside++;
            assert(inside == 1);
            load(DATA, value);
            assert(value == entries);
            inside--;
            if :: owner == 0 || owner == me + 1 :: else -> store_release(OWNER, owner) fi;
            spin_unlock(SHARED);
            goto away
        :: else
        fi;
#endif
        if
        :: store(OWNER, me + 1)
        :: true
        fi;
entered:
        inside++;
        assert(inside == 1);
        load(DATA, value);
        assert(value == entries);
        entries++;
        store(DATA, value + 1);
        inside--;
        /* unlock() */
        if
        :: entered_as_owner -> store_release(FLAG(me), 0)
        :: else -> spin_unlock(SHARED)
        fi;
away:
        round++
    od
}
