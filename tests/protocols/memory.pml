/* SPDX-License-Identifier: MIT
 *
 * A memory as weak as that of AArch64, for the protocols beside this file: stores are seen late and out of order, and loads are
 * performed early. docs/orderings.md says what of C++ this is, and what it leaves out.
 *
 * A store waits in the thread that made it, which alone sees it, until the memory shows it to everybody: at any time after,
 * and before or after stores to other variables. A release store is shown after all that the thread stored before it.
 *
 * A load may have been performed at any time since the thread's newest fence: it gives that value, or a newer one, but none that is
 * older than the thread has loaded from the variable before. `early` has the oldest value that a load may still give. An acquire
 * load and a barrier are fences for the loads behind them.
 *
 * A model defines THREADS (up to 3) and says which of the eight variables is what; `me` is the thread's number.
 */
#define VARIABLES 8
#define BIT(v) (1 << (v))
#define AT(p, v) ((p) * VARIABLES + (v))

byte seen[VARIABLES];
byte late[THREADS * VARIABLES];
byte after[THREADS * VARIABLES]; /* bits of the variables that are to be shown first */
byte waiting[THREADS];           /* bits of the variables whose stores are not shown */
byte ordered[THREADS];           /* of them, those that a sequentially consistent load of the thread waits for */
byte early[THREADS * VARIABLES];
byte caught[THREADS];  /* bits of the variables whose `early` is from after the fence */
byte touched[THREADS]; /* bits of those that were stored to since the fence */

/* ---- loads */

/* A model may name the threads and variables of load(), of load_acquire() and of exchanges, lest it has states that differ in nothing. */
#ifndef LOADS
#define LOADS(q, v) true
#define ACQUIRES(q, v) true
#define EXCHANGES(q, v) true
#endif

/* From here on the thread's loads are performed now or later. */
#define FENCE_OF(p, v) early[AT(p, v)] = (LOADS(p, v) || ACQUIRES(p, v) -> seen[v] : 0)
#define FENCE(p)                                                            \
    FENCE_OF(p, 0); FENCE_OF(p, 1); FENCE_OF(p, 2); FENCE_OF(p, 3);         \
    FENCE_OF(p, 4); FENCE_OF(p, 5); FENCE_OF(p, 6); FENCE_OF(p, 7);         \
    caught[p] = 0;                                                          \
    touched[p] = 0
#define CAUGHT(q, v) caught[q] = caught[q] | (ACQUIRES(q, v) -> BIT(v) : 0)

/* Before the thread p changes a variable, a later load of another thread may be performed. */
#define CATCH(q, p, v)                                                      \
    touched[q] = touched[q] | (EXCHANGES(q, v) -> BIT(v) : 0);              \
    if                                                                      \
    :: true                                                                 \
    :: (q) != (p) && LOADS(q, v) && early[AT(q, v)] != seen[v] ->           \
        early[AT(q, v)] = seen[v];                                          \
        CAUGHT(q, v)                                                        \
    fi
#if THREADS > 2
#define CATCH_ALL(p, v) CATCH(0, p, v); CATCH(1, p, v); CATCH(2, p, v)
#else
#define CATCH_ALL(p, v) CATCH(0, p, v); CATCH(1, p, v)
#endif
/* The thread's own loads behind its store are no older than that. */
#define SET(p, v, value)                                                    \
    CATCH_ALL(p, v);                                                        \
    seen[v] = value;                                                        \
    early[AT(p, v)] = (LOADS(p, v) || ACQUIRES(p, v) -> seen[v] : 0);       \
    CAUGHT(p, v)

/* memory_order_relaxed, and plain loads. */
inline load(v, into) {
    atomic {
        assert(LOADS(me, v));
        if
        :: waiting[me] & BIT(v) -> into = late[AT(me, v)]
        :: else ->
            if
            :: into = early[AT(me, v)]
            :: early[AT(me, v)] != seen[v] ->
                into = seen[v];
                early[AT(me, v)] = into;
                CAUGHT(me, v)
            fi
        fi
    }
}
/* It is performed now, or as early as the fence. (In between it is not explored.) */
inline load_acquire(v, into) {
    atomic {
        assert(ACQUIRES(me, v));
        if
        :: waiting[me] & BIT(v) -> into = late[AT(me, v)]
        :: else ->
            if
            :: (caught[me] & BIT(v)) == 0 -> into = early[AT(me, v)]
            :: into = seen[v]; FENCE(me)
            fi
        fi
    }
}
/* memory_order_seq_cst: behind the sequentially consistent stores of the thread. */
inline load_ordered(v, into) {
    atomic { (waiting[me] & (ordered[me] | BIT(v))) == 0 -> into = seen[v]; FENCE(me) }
}
/* Acquire loads until one gives the value. */
inline await(v, value) {
    atomic { (waiting[me] & BIT(v)) == 0 && seen[v] == (value) -> FENCE(me) }
}
/* The thread has been told by the system: of a packet, by the thread that sent it. */
inline hear() { atomic { FENCE(me) } }

/* ---- stores */

#define MAY_SHOW(p, v) ((waiting[p] & BIT(v)) && !(waiting[p] & after[AT(p, v)]))
#define FORGET(p, v, w) after[AT(p, w)] = after[AT(p, w)] & (255 - BIT(v))
#define SHOW(p, v)                                                       \
    SET(p, v, late[AT(p, v)]);                                           \
    waiting[p] = waiting[p] & (255 - BIT(v));                            \
    ordered[p] = ordered[p] & (255 - BIT(v));                            \
    late[AT(p, v)] = 0;                                                  \
    after[AT(p, v)] = 0;                                                 \
    FORGET(p, v, 0); FORGET(p, v, 1); FORGET(p, v, 2); FORGET(p, v, 3);  \
    FORGET(p, v, 4); FORGET(p, v, 5); FORGET(p, v, 6); FORGET(p, v, 7)
#define CELL(p, v) :: atomic { MAY_SHOW(p, v) -> SHOW(p, v) }
#define CELLS(p) CELL(p, 0) CELL(p, 1) CELL(p, 2) CELL(p, 3) CELL(p, 4) CELL(p, 5) CELL(p, 6) CELL(p, 7)

active proctype memory() {
end:
    do
    CELLS(0)
#if THREADS > 1
    CELLS(1)
#endif
#if THREADS > 2
    CELLS(2)
#endif
    od
}

/* memory_order_relaxed; one to the same variable is shown first. */
inline store(v, value) {
    atomic { !(waiting[me] & BIT(v)) -> late[AT(me, v)] = value; after[AT(me, v)] = 0; waiting[me] = waiting[me] | BIT(v) }
}
inline store_release(v, value) {
    atomic { !(waiting[me] & BIT(v)) -> late[AT(me, v)] = value; after[AT(me, v)] = waiting[me]; waiting[me] = waiting[me] | BIT(v) }
}
/* memory_order_seq_cst. */
inline store_ordered(v, value) {
    atomic {
        !(waiting[me] & BIT(v)) ->
        late[AT(me, v)] = value;
        after[AT(me, v)] = waiting[me];
        waiting[me] = waiting[me] | BIT(v);
        ordered[me] = ordered[me] | BIT(v)
    }
}

/* ---- platform/thread/asymmetric_barrier.h */

inline light_barrier() { skip }
inline full_barrier() { atomic { waiting[me] == 0 -> FENCE(me) } }
inline heavy_barrier() {
    full_barrier();
    atomic { waiting[0] == 0 -> FENCE(0) };
#if THREADS > 1
    atomic { waiting[1] == 0 -> FENCE(1) };
#endif
#if THREADS > 2
    atomic { waiting[2] == 0 -> FENCE(2) };
#endif
    full_barrier()
}

/* ---- read-modify-writes */

/* memory_order_seq_cst. No barrier: its load may have been performed at the fence, before loads that follow, if nobody stored there
 * since; a sequentially consistent load behind it waits. */
inline exchange(v, desired, before) {
    atomic {
        waiting[me] == 0 ->
        assert(EXCHANGES(me, v));
        before = seen[v];
        if
        :: (touched[me] & BIT(v)) == 0
        :: FENCE(me)
        fi;
        SET(me, v, desired)
    }
}
inline compare_exchange(v, expected, desired, done) {
    atomic {
        waiting[me] == 0 ->
        assert(EXCHANGES(me, v));
        done = (seen[v] == expected);
        if
        :: (touched[me] & BIT(v)) == 0
        :: FENCE(me)
        fi;
        if
        :: done -> SET(me, v, desired)
        :: else
        fi
    }
}
/* A spin lock: acquire and release, no barrier beyond. */
inline spin_lock(v) { atomic { !(waiting[me] & BIT(v)) && seen[v] == 0 -> SET(me, v, 1); FENCE(me) } }
inline spin_unlock(v) { store_release(v, 0) }
