/* SPDX-License-Identifier: MIT
 *
 * A memory whose stores are seen late and out of order, for the protocols beside this file.
 *
 * A store waits in the thread that made it, which alone sees it, until the memory shows it to everybody: at any time after,
 * and before or after stores to other variables. A release store is shown after all that the thread stored before it. Loads
 * happen in program order: what depends on a processor that reorders loads is not explored.
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

#define MAY_SHOW(p, v) ((waiting[p] & BIT(v)) && !(waiting[p] & after[AT(p, v)]))
#define FORGET(p, v, w) after[AT(p, w)] = after[AT(p, w)] & (255 - BIT(v))
#define SHOW(p, v)                                  \
    seen[v] = late[AT(p, v)];                       \
    waiting[p] = waiting[p] & (255 - BIT(v));       \
    late[AT(p, v)] = 0;                             \
    after[AT(p, v)] = 0;                            \
    FORGET(p, v, 0); FORGET(p, v, 1); FORGET(p, v, 2); FORGET(p, v, 3); \
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
#define LOADED(v) ((waiting[me] & BIT(v)) -> late[AT(me, v)] : seen[v])
inline load(v, into) { atomic { into = LOADED(v) } }

/* platform/thread/asymmetric_barrier.h. */
inline light_barrier() { skip }
inline full_barrier() { waiting[me] == 0 }
inline heavy_barrier() {
    waiting[me] == 0;
    atomic { waiting[0] == 0 };
#if THREADS > 1
    atomic { waiting[1] == 0 };
#endif
#if THREADS > 2
    atomic { waiting[2] == 0 };
#endif
}

/* A read-modify-write that is a full barrier (memory_order_seq_cst). */
inline compare_exchange(v, expected, desired, done) {
    atomic { waiting[me] == 0 -> done = (seen[v] == expected); if :: done -> seen[v] = desired :: else fi }
}
/* A spin lock: acquire and release, no barrier beyond. */
inline spin_lock(v) { atomic { !(waiting[me] & BIT(v)) && seen[v] == 0 -> seen[v] = 1 } }
inline spin_unlock(v) { store_release(v, 0) }
