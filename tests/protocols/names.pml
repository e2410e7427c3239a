/* SPDX-License-Identifier: MIT
 *
 * Names (src/transport/local/arena/names.h), NameWriter::name(), LinkSource::collect() and LaneAttention::follow(): a crowd that polls or sleeps
 * while a frame waits is told of it. One connection, so that the ring has one name at most; a name that is not taken stands for
 * all frames before it is. While the connection is followed, its poller looks at its lane and nobody names it.
 *
 * A lost arrival is an end state in which the consumer waits for an octet.
 *
 * WITHOUT_HEAVY_BARRIER: a crowd that polled goes to sleep with a barrier of its own alone. WITHOUT_UNFOLLOWING_BARRIER: a connection
 * that was followed is looked at once more without one. WITHOUT_TAKEN_BARRIER: the consumer looks at a lane before the producer can see
 * that the name is taken. WITHOUT_PENDING_BARRIER: the producer looks whether its name is taken before its frame can be seen.
 */
#define THREADS 2
#include "memory.pml"

#define FRAMES 3
#define ITEM 0
#define WISH 1
#define NAME 2
#define TAKEN 3
#define ATTENTION 4

/* WISH */
#define NAMED 0
#define FOLLOWED 1
/* ATTENTION */
#define ASLEEP 0
#define RUNG 1
#define POLLING 2

byte octets;

active proctype producer() {
    byte me = 0, number, wish, newest, taken, attention;
    bool done;
    do
    :: number == FRAMES -> break
    :: else ->
        number++;
        store_release(ITEM, number);
        light_barrier();
        load(WISH, wish);
        if
        :: wish == FOLLOWED -> goto told
        :: else
        fi;
        if
        :: newest > taken ->
#ifndef WITHOUT_PENDING_BARRIER
            full_barrier();
#endif
            load_acquire(TAKEN, taken)
        :: else
        fi;
        if
        :: newest > taken
        :: else -> newest++; store_release(NAME, newest)
        fi;
        light_barrier();
        load(ATTENTION, attention);
        if
        :: attention == POLLING
        :: else ->
            full_barrier();
            load(ATTENTION, attention);
            if
            :: attention == ASLEEP ->
                compare_exchange(ATTENTION, ASLEEP, RUNG, done);
                if
                :: done -> octets = 1
                :: else
                fi
            :: else
            fi
        fi;
told:
        skip
    od
}

active proctype consumer() {
    byte me = 1, item, name, taken;
    bool polling, followed;
look: /* collect(), and the visit of the connection if it was named or is followed */
    load_acquire(NAME, name);
    if
    :: name != taken ->
        taken = name;
        store_release(TAKEN, taken);
#ifndef WITHOUT_TAKEN_BARRIER
        full_barrier();
#endif
        load_acquire(ITEM, item)
    :: else ->
        if
        :: followed -> load_acquire(ITEM, item)
        :: else
        fi
    fi;
    if
    :: item == FRAMES -> goto all
    :: else
    fi;
    if
    :: !polling -> polling = true; store(ATTENTION, POLLING); goto look
    :: polling && !followed -> followed = true; store(WISH, FOLLOWED); goto look
    :: followed -> /* visits in vain */
        followed = false;
        store(WISH, NAMED);
#ifndef WITHOUT_UNFOLLOWING_BARRIER
        heavy_barrier();
#else
        full_barrier();
#endif
        load_acquire(ITEM, item);
        goto look
    :: polling && !followed -> goto look
    :: true -> /* fall_asleep(), or serve() after an octet */
        store(ATTENTION, ASLEEP);
        if
        :: followed -> store(WISH, NAMED)
        :: else
        fi;
        if
#ifndef WITHOUT_HEAVY_BARRIER
        :: polling -> heavy_barrier()
        :: else -> full_barrier()
#else
        :: full_barrier()
#endif
        fi;
        if
        :: followed -> load_acquire(ITEM, item)
        :: else
        fi;
        polling = false;
        followed = false;
        load_acquire(NAME, name);
        if
        :: name != taken || item == FRAMES -> goto look
        :: else -> octets != 0 -> octets = 0; hear(); goto look
        fi
    fi;
all:
    skip
}
