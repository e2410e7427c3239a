/* SPDX-License-Identifier: MIT
 *
 * Lane::Wishes::attention, PeerBell::ring() and SoftQueuePair::ask_to_be_woken(), count_poll() and serve(): a consumer
 * that sleeps while a frame waits is woken. The other end of a socket holds one octet, and more are dropped.
 *
 * A lost wake-up is an end state in which the consumer waits for an octet.
 *
 * WITHOUT_HEAVY_BARRIER: a consumer that polled goes to sleep with a barrier of its own alone. WITHOUT_FULL_BARRIER: the
 * producer looks at a consumer that is not polling before its frame can be seen.
 */
#define THREADS 2
#include "memory.pml"

#define FRAMES 3
#define ITEM 0
#define ATTENTION 1

#define ASLEEP 0
#define RUNG 1
#define AWAKE 2
#define POLLING 3

byte octets;

active proctype producer() {
    byte me = 0, attention, number;
    bool done;
    do
    :: number == FRAMES -> break
    :: else ->
        number++;
        store_release(ITEM, number);
        /* PeerBell::ring() */
        light_barrier();
        load(ATTENTION, attention);
        if
        :: attention == POLLING
        :: else ->
#ifndef WITHOUT_FULL_BARRIER
            full_barrier();
#endif
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
        fi
    od
}

active proctype consumer() {
    byte me = 1, item, taken, attention;
look:
    load_acquire(ITEM, item);
    taken = item;
    if
    :: taken == FRAMES -> goto all
    :: else
    fi;
    if
    :: attention == ASLEEP -> /* count_poll(), the first */
        attention = AWAKE;
        store(ATTENTION, AWAKE);
        full_barrier();
        goto look
    :: attention == AWAKE -> /* the last */
        attention = POLLING;
        store(ATTENTION, POLLING);
        full_barrier();
        goto look
    :: true -> /* ask_to_be_woken(), or serve() after an octet */
        store(ATTENTION, ASLEEP);
        if
#ifndef WITHOUT_HEAVY_BARRIER
        :: attention == POLLING -> heavy_barrier()
        :: attention != POLLING -> full_barrier()
#else
        :: full_barrier()
#endif
        fi;
        attention = ASLEEP;
        load_acquire(ITEM, item);
        if
        :: item != taken -> goto look
        :: else -> octets != 0 -> octets = 0; hear(); goto look
        fi
    fi;
all:
    skip
}
