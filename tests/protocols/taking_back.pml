/* SPDX-License-Identifier: MIT
 *
 * LaneAccess::stop_requests() and Inbound::receive(): a message that a flush takes back was delivered and succeeds, or was not and is
 * canceled; what is delivered is what was sent, though the program writes to the memory as soon as it has the result.
 *
 * The message is fetched out of the producer's memory in two steps, between which anything may happen.
 *
 * WITHOUT_HEAVY_BARRIER, WITHOUT_MARK: see deregistration.pml. WITHOUT_WAIT: the producer does not wait for a consumer at work.
 */
#define THREADS 2
#include "memory.pml"

#define FRAME 0 /* 1: in sight, 0: hidden */
#define TAKING 1
#define CONSUMED 2
#define MEMORY 3 /* 1: the message, 2: the program's later bytes */

bool delivered, canceled;

active proctype producer() {
    byte me = 0, consumed;
    store(MEMORY, 1);
    store_release(FRAME, 1);
    if :: true :: await(CONSUMED, 1) fi; /* the flush comes at any time */
    store_release(FRAME, 0);
#ifndef WITHOUT_HEAVY_BARRIER
    heavy_barrier();
#endif
#ifndef WITHOUT_WAIT
    await(TAKING, 0);
#endif
    load_acquire(CONSUMED, consumed);
    if
    :: consumed == 0 -> canceled = true; assert(!delivered)
    :: else
    fi;
    store(MEMORY, 2)
}

active proctype consumer() {
    byte me = 1, frame, first, last, round;
    do
    :: round == 3 || delivered -> break
    :: else ->
#ifndef WITHOUT_MARK
        store(TAKING, 1);
        light_barrier();
#endif
        load_acquire(FRAME, frame);
        if
        :: frame == 1 ->
            load(MEMORY, first);
            load(MEMORY, last);
            assert(first == 1 && last == 1);
            delivered = true;
            assert(!canceled);
            store_release(CONSUMED, 1)
        :: else
        fi;
        store_release(TAKING, 0);
        round++
    od
}
