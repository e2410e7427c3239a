/* SPDX-License-Identifier: MIT
 *
 * EventLoop: the service thread stands by while threads of the program help. A helper sleeps in the set, has turns, and leaves at any
 * time. The peer's arrivals, a function that another thread posts and a timer that it schedules are handled by whoever has the next turn.
 *
 * Only `helped` is stored to without EventLoop::mutex_; the set is the kernel's. So the memory is a strong one here. A nap ends by itself.
 * A sleep that began before the timer was there may be too long for it, or by chance not.
 *
 * Work that nobody handles is a state in which nothing moves any more.
 *
 * WITHOUT_NOTICE: a helper that leaves does not wake the service thread, which sleeps for as long as one helps. LEAVES_LATE: it
 * helps until it has released the lock. TRUSTS_OLD_SLEEP: the service thread stands by
 * and leaves a timer to a helper that sleeps for too long. FORGETS_ERRANDS: a helper that leaves does not wake a service thread that
 * sleeps in the set for what was put off.
 */
#define NO 0
#define NAPS 1
#define DEEP 2
#define ROUNDS (_pid == 1 -> 2 : 1) /* of a waiter */
#define ARRIVALS 1
#ifdef FORGETS_ERRANDS
#define ERRAND false
#else
#define ERRAND errand
#endif

bool helped, posted, timer, rung, notified, errand;
bool in_time, helper_in_time; /* the sleep of the service thread, and of the helper, ends in time for the timer */
byte arrivals, handled, stands_by, helps;

/* Who sleeps for the timers. A helper that comes finds the timer. */
#define ENDS_IN_TIME (stands_by == NO -> in_time : !helped || helper_in_time)

/* EventLoop::wake(), under mutex_ */
inline wake() {
    if
    :: stands_by != NO && !helped -> notified = true
    :: else -> rung = true
    fi
}

/* How long this thread sleeps. */
inline choose_sleep() {
    if
    :: sleep_in_time = true
    :: !timer -> sleep_in_time = false
    fi
}

inline turn() {
    atomic { handled = handled + arrivals; arrivals = 0; rung = false }
    posted = false;
    timer = false
}

active proctype service() {
    byte seen;
    bool sleep_in_time;
    do
    ::
        atomic { /* stand_by() */
            if
            :: !helped -> goto lead /* and the last one left long ago */
            :: true
            fi;
            stands_by = NAPS;
#ifndef TRUSTS_OLD_SLEEP
            if
            :: timer && !ENDS_IN_TIME -> wake()
            :: else
            fi
#endif
        }
nap:
        atomic { seen = helps; notified = false }
        atomic {
            if
            :: helps != seen && (helped || !posted) -> goto nap
            :: helps == seen && helped -> stands_by = DEEP; notified = false
            :: else -> goto lead
            fi
        }
end_deep:
        atomic {
            notified;
            if
            :: errand || helped -> stands_by = NAPS; goto nap
            :: else
            fi
        }
lead:
        stands_by = NO;
        errand = false; /* run_errands() */
        atomic { choose_sleep(); in_time = sleep_in_time }
        if
        :: posted
        :: else ->
end_asleep:
            (arrivals > 0 || rung || (timer && sleep_in_time))
        fi;
        turn()
    od
}

active [2] proctype waiter() {
    byte round;
    bool sleep_in_time, pending, leaves;
    do
    :: round == ROUNDS -> break
    :: else ->
        round++;
end_waits:
        atomic { !helped -> helped = true }
        do
        ::
            errand = false;
            atomic { /* help() */
                choose_sleep();
                helper_in_time = sleep_in_time;
                pending = posted;
                if :: leaves = true :: leaves = false fi
            }
end_sleeps:
            if
            :: pending
            :: arrivals > 0 || rung || (timer && sleep_in_time)
            :: leaves -> goto leave /* what it waits for has come, or its time is over */
            fi;
            turn();
            if
            :: errand = true /* put_off() */
            :: true
            fi
        :: true -> break
        od;
leave:
        atomic { /* end_help() */
            helps = 1 - helps;
#ifndef LEAVES_LATE
            helped = false;
#endif
            if
            :: stands_by == NO && (posted || ERRAND || (timer && !ENDS_IN_TIME)) -> rung = true
#ifndef WITHOUT_NOTICE
            :: stands_by == DEEP || (stands_by == NAPS && posted) -> notified = true
#endif
            :: else
            fi
        }
#ifdef LEAVES_LATE
        helped = false
#endif
    od
}

active proctype peer() {
    byte sent;
    do
    :: sent == ARRIVALS -> break
    :: else -> atomic { sent++; arrivals++ }
    od
}

active proctype poster() {
    atomic { posted = true; wake() }
    atomic {
        timer = true;
        if
        :: ENDS_IN_TIME
        :: else -> wake()
        fi
    }
}

active proctype end() {
    timeout -> assert(handled == ARRIVALS && !posted && !timer && !errand)
}
