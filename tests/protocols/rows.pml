/* SPDX-License-Identifier: MIT
 *
 * Outbound::flush_unless_more_follows() of two sides that nobody polls (docs/decisions/0090): messages wait in the slab for the look that
 * takes a receipt, and none waits for ever. A side sends while its messages arrive at the other, and each message has a stamp.
 *
 * WITHOUT_DUE: messages wait though no receipt is due.
 * WITHOUT_STARVED: messages wait though a message of the peer waits for a receive, so that no receipt behind it is read.
 */
#define ROW 1 /* kRow, which may be any number above 0 */
#define FIRST 4 /* messages of side 0 */
#define SECOND 1

mtype = { message, receipt };
/* To a side, and in the slab of one: with the number of messages that its sender has placed. */
chan wire[2] = [10] of { mtype, byte };
chan slab[2] = [8] of { mtype, byte };

byte posted[2], left[2], confirmed[2]; /* of this side's messages */
byte placed[2], told[2];               /* of the peer's, and those that a receipt told of */
byte receives[2];
bool streams[2], starved[2];
bool late; /* side 0 posts no receive before the other side has all its messages */
bool put_off[2]; /* a thread of the program sends the receipt before it sleeps */

/* Each atomic part is what a thread does under Outlet::mutex(). */
inline flush(s) {
    do
    :: slab[s] ? kind, stamp -> wire[1 - s] ! kind, stamp
    :: empty(slab[s]) -> break
    od;
    if :: told[s] != placed[s] -> wire[1 - s] ! receipt, placed[s]; told[s] = placed[s] :: else fi;
    left[s] = posted[s]
}

inline post(s) {
    atomic {
        posted[s]++;
        told[s] = placed[s];
        slab[s] ! message, placed[s];
        waits = streams[s] || posted[s] - confirmed[s] > ROW;
#ifndef WITHOUT_DUE
        waits = waits && left[s] > confirmed[s];
#endif
#ifndef WITHOUT_STARVED
        waits = waits && !starved[s];
#endif
        if :: waits :: else -> flush(s) fi
    }
}

proctype program(bit s; byte messages, own_receives) {
    mtype kind;
    byte stamp;
    bool waits;
    do
    :: posted[s] < messages -> post(s)
    :: own_receives > 0 && (s == 1 || !late || placed[1] == FIRST) -> receives[s]++; own_receives--
    :: posted[s] == messages && own_receives == 0 -> break
    od
}

/* Inbound::receive(), of whichever thread hears of the arrival, or of the receive that a message waited for. */
proctype looker(bit s) {
    mtype kind;
    byte stamp;
end:
    do
    :: (nempty(wire[s]) && !starved[s]) || (starved[s] && receives[s] > 0) ->
        do
        :: wire[s] ? [receipt, _] -> atomic { wire[s] ? receipt, confirmed[s] }
        :: wire[s] ? [message, _] ->
            atomic {
                wire[s] ? <message, confirmed[s]>;
                starved[s] = receives[s] == 0;
                if :: starved[s] -> break :: else fi
            };
            atomic { wire[s] ? message, _; receives[s]--; placed[s]++ }
        :: empty(wire[s]) -> break
        od;
        atomic {
            if :: posted[s] != left[s] -> streams[s] = posted[s] - left[s] > ROW :: else fi;
            if
            :: empty(slab[s]) && told[s] != placed[s] -> put_off[s] = true
            :: flush(s)
            fi
        }
    od
}

proctype sleeper(bit s) {
    mtype kind;
    byte stamp;
end:
    do
    :: atomic { put_off[s] -> put_off[s] = false; flush(s) }
    od
}

init {
    atomic {
        if :: late = true :: late = false fi;
        run program(0, FIRST, SECOND);
        run program(1, SECOND, FIRST);
        run looker(0);
        run looker(1);
        run sleeper(0);
        run sleeper(1)
    }
    /* Once everything stands still. */
    timeout -> assert(placed[1] == FIRST && placed[0] == SECOND && empty(slab[0]) && empty(slab[1]))
}
