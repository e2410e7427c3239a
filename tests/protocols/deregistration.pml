/* SPDX-License-Identifier: MIT
 *
 * Lane::Access::token (transport/local/arena/segment.h), DirectCopy::copy_now() and AccessEnd: memory that was deregistered is not
 * touched. DEAD is the token, or Lane::Wishes::closed: a queue pair that is closed (LaneAccess::exclude_peer()).
 *
 * WITHOUT_HEAVY_BARRIER: the owner looks at the mark before it can be seen. WITHOUT_MARK: the peer marks after its look.
 */
#define THREADS 2
#include "memory.pml"

#define DEAD 0 /* the token */
#define ACCESS 1

bool program_has_it;

active proctype owner() {
    byte me = 0;
    store(DEAD, 1);
#ifndef WITHOUT_HEAVY_BARRIER
    heavy_barrier();
#endif
    await(ACCESS, 0);
    program_has_it = true
}

active proctype peer() {
    byte me = 1, dead, round;
    do
    :: round == 3 -> break
    :: else ->
#ifndef WITHOUT_MARK
        store(ACCESS, 1);
        light_barrier();
#endif
        load_acquire(DEAD, dead);
#ifdef WITHOUT_MARK
        store(ACCESS, 1);
        light_barrier();
#endif
        if
        :: !dead ->
            assert(!program_has_it); /* the first byte */
            assert(!program_has_it)  /* the last */
        :: else
        fi;
        store_release(ACCESS, 0);
        round++
    od
}
