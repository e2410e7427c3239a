/* SPDX-License-Identifier: MIT
 *
 * platform/thread/biased_lock.h, wait_until_left(): memory whose token died is not touched by a thread that uses it under the lock,
 * nor by one that stepped out of the lock with it. The thread that waits takes no lock, and turns no owner out.
 *
 * AWAY is the lock's word: the holders that stepped out are in its lower bits, the count of all steps out above.
 * WITHOUT_HEAVY_BARRIER: a thread that enters does not see the dead token, and is not seen inside. WITHOUT_SHARED: only the seats are
 * looked at. WITHOUT_AWAY: holders that stepped out are not waited for. WITHOUT_SECOND_LOOK: one may step out after the look at the
 * word. WITHOUT_COUNT: one may step out and in again between the two looks.
 */
#define THREADS 3
#define DEAD 0 /* the token */
#define OWNER 1 /* thread + 1; 0: nobody */
#define SHARED 2
#define AWAY 3
#define INSIDE 4 /* and the next: a flag for each user */
#define WAITER 2
#define LOADS(q, v) (((v) == DEAD || (v) == OWNER) && (q) != WAITER)
#define ACQUIRES(q, v) ((q) == WAITER -> (v) == AWAY : ((v) >= INSIDE && (v) < INSIDE + 2))
#define EXCHANGES(q, v) false
#include "memory.pml"

#ifdef WITHOUT_COUNT
#define STEP_OUT 1
#else
#define STEP_OUT 5
#endif
#define NOW_AWAY(word) ((word) & 3)

bool program_has_it;
byte away;        /* the word, as holders of the lock know it */
bool as_owner[2]; /* how a user is inside */

inline turn_out() {
    load(OWNER, owner);
    if
    :: owner == 0 || owner == me + 1
    :: else ->
        store(OWNER, 0);
        heavy_barrier();
        await(INSIDE + owner - 1, 0)
    fi
}

inline lock() {
    as_owner[me] = false;
    load(OWNER, owner);
    if
    :: owner == me + 1 ->
        store(INSIDE + me, 1);
        light_barrier();
        load(OWNER, owner);
        if
        :: owner == me + 1 -> as_owner[me] = true
        :: else -> store_release(INSIDE + me, 0)
        fi
    :: else
    fi;
    if
    :: as_owner[me]
    :: else ->
        spin_lock(SHARED);
        turn_out();
        if
        :: store(OWNER, me + 1)
        :: true
        fi
    fi
}

inline unlock() {
    if
    :: as_owner[me] -> store_release(INSIDE + me, 0)
    :: else -> spin_unlock(SHARED)
    fi
}

inline use() {
    assert(!program_has_it)
}

active [2] proctype user() {
    byte me = _pid - 1, owner, dead, round;
    do
    :: round == 2 - me -> break
    :: else ->
        lock();
        load(DEAD, dead);
        if
        :: !dead ->
            use();
            if
            :: true
            :: me == 0 ->
                d_step { away = away + STEP_OUT };
                store(AWAY, away);
                unlock();
                use();
                lock();
                d_step { away = away - 1 };
                store_release(AWAY, away);
                use()
            fi
        :: else
        fi;
        unlock();
        round++
    od
}

active proctype waiter() {
    byte me = WAITER, first, second;
    store(DEAD, 1);
#ifndef WITHOUT_HEAVY_BARRIER
    heavy_barrier();
#endif
    load_acquire(AWAY, first);
    await(INSIDE, 0);
    await(INSIDE + 1, 0);
#ifndef WITHOUT_SHARED
    await(SHARED, 0);
#endif
#ifdef WITHOUT_SECOND_LOOK
    second = first;
#else
    load_acquire(AWAY, second);
#endif
    if
#ifdef WITHOUT_AWAY
    :: true ->
#else
    :: first == second && NOW_AWAY(first) == 0 ->
#endif
        program_has_it = true
    :: else /* it takes the lock */
    fi
}
