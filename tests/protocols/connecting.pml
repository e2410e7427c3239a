/* SPDX-License-Identifier: MIT
 *
 * SoftQueuePair::attach() beside SoftCompletionQueue::begin_crowd(): of a queue pair that gets its channel while the crowd begins, one of
 * the two threads sees the other, so that the channel joins the crowd.
 *
 * WITHOUT_CROWDS_BARRIER: that a crowd begins is a sequentially consistent store, and the look at the channel behind it is an acquire
 * load. WITHOUT_BARRIER: the queue pair's thread has none.
 */
#define THREADS 2
#include "memory.pml"

#define CHANNEL 0
#define CROWDED 1

byte channel, crowded, done;

active proctype attach() {
    byte me = 0;
    store_release(CHANNEL, 1);
#ifndef WITHOUT_BARRIER
    full_barrier();
#endif
    load(CROWDED, crowded);
    done++
}

active proctype begin_crowd() {
    byte me = 1;
#ifndef WITHOUT_CROWDS_BARRIER
    store(CROWDED, 1);
    full_barrier();
#else
    store_ordered(CROWDED, 1);
#endif
    load_acquire(CHANNEL, channel);
    done++
}

active proctype joined() { done == 2 -> assert(channel == 1 || crowded == 1) }
