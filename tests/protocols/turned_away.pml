/* SPDX-License-Identifier: MIT
 *
 * Initiator::run(), here drive(), busy and turned_away (docs/decisions/0005): room in a socket is told of once, and nobody who heard of it
 * leaves it unused. All under the queue pair's lock, which a long copy releases: memory is not what is looked at here.
 *
 * WITHOUT_NOTE: a thread that finds the copier inside leaves without a word.
 * WITHOUT_HAND_OVER: a copier that was noted once more in its last round leaves without a word.
 */
#define MESSAGES 3
#define ROUNDS 1 /* kMostRounds, which may be any number above 0 */

bit locked;
bool busy, turned_away;
byte left = MESSAGES; /* requests that are not in the socket */
byte room = 1;        /* messages that the socket takes */
bool told;            /* the service thread is to come: the socket's news, which are told once, or a run that is owed */

inline lock() { atomic { locked == 0 -> locked = 1 } }
inline unlock() { locked = 0 }

inline drive() {
    if
    :: busy ->
#ifndef WITHOUT_NOTE
        turned_away = true
#else
        skip
#endif
    :: else ->
        rounds = 0;
        do
        :: rounds == ROUNDS -> break
        :: else ->
           rounds++;
           turned_away = false;
           do
           :: left == 0 -> break
           :: else ->
               busy = true; /* a long copy, without the lock */
               unlock();
               atomic { if :: room > 0 -> room--; taken = true :: else -> taken = false fi };
               lock();
               busy = false;
               if :: taken -> left-- :: else -> break fi
           od;
           if :: turned_away :: else -> break fi
        od;
#ifndef WITHOUT_HAND_OVER
        if :: turned_away && left > 0 -> told = true /* needs_run(), serve_later() */ :: else fi
#endif
    fi
}

active proctype poster() {
    bool taken;
    byte rounds;
    lock();
    drive();
    unlock()
}

active proctype service() {
    bool taken;
    byte rounds;
end:
    do
    :: told -> told = false; lock(); drive(); unlock()
    od
}

active proctype peer() {
    byte read;
    do
    :: read == MESSAGES -> break
    :: else -> atomic { room++; told = true; read++ }
    od
}

/* Once everything stands still. */
active proctype stall() { timeout -> assert(left == 0) }
