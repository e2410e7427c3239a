/* SPDX-License-Identifier: MIT
 *
 * Inbound::take_pull() and Consumer::stands(), beside a producer that has hidden the frame and waits no more for the consumer
 * (LaneAccess::give_up_waiting()): what is delivered is what was sent. The consumer fetches the message out of the producer's memory, in
 * two steps, and then looks whether the frame stands still. No processor is reached by a heavy barrier; where one is, that is enough.
 *
 * WITHOUT_BARRIER: the second look may be performed before what was fetched.
 */
#define THREADS 2
#include "memory.pml"

#define FRAME 0  /* 1: in sight, 0: hidden */
#define MEMORY 1 /* 1: the message, 2: the program's later bytes */

active proctype producer() {
    byte me = 0;
    store(MEMORY, 1);
    store_release(FRAME, 1);
    store_release(FRAME, 0);
    full_barrier();
    store(MEMORY, 2)
}

active proctype consumer() {
    byte me = 1, frame, first, last;
    load_acquire(FRAME, frame);
    if
    :: frame == 1 ->
        load(MEMORY, first);
        load(MEMORY, last);
#ifndef WITHOUT_BARRIER
        full_barrier();
#endif
        load_acquire(FRAME, frame);
        assert(frame == 0 || (first == 1 && last == 1))
    :: else
    fi
}
