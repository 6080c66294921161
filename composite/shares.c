#include "shares.h"

int composite_share_find(int64_t total, int pieces, int64_t thing)
{
    /* Piece i begins at or before the thing if i total < (thing + 1) pieces. The quotient
     * is rounded, so that it may be one off. */
    const double end = (double)(thing + 1) * (double)pieces / (double)total;
    int piece = end < pieces ? (int)end : pieces - 1;
    while (piece > 0 && composite_share_begin(total, pieces, piece) > thing) {
        piece--;
    }
    while (piece + 1 < pieces &&
           composite_share_begin(total, pieces, piece + 1) <= thing) {
        piece++;
    }
    return piece;
}

int composite_outward(int members, int me, int step)
{
    const int in_front = me;
    const int behind = members - 1 - me;
    const int paired = in_front < behind ? in_front : behind; /* steps to each side */
    if (step < 2 * paired) {
        return step % 2 == 0 ? me - 1 - step / 2 : me + 1 + step / 2;
    }
    const int distance = step - paired + 1;
    return in_front > behind ? me - distance : me + distance;
}

int composite_outward_send(int members, int me, int step)
{
    return members - 1 - composite_outward(members, members - 1 - me, step);
}
