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
