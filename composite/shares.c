#include "shares.h"

int composite_share_find(int64_t total, int pieces, int64_t thing)
{
    int low = 0;
    int high = pieces;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (composite_share_begin(total, pieces, middle) <= thing) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
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
