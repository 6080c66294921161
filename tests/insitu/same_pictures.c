/* same_pictures A.png B.png [COUNTS]: whether two pictures are alike, and not blank. */
#include "picture_difference.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: same_pictures A.png B.png [COUNTS]\n");
        return 2;
    }
    return !same_pngs(argv[1], argv[2], argc > 3 ? atoi(argv[3]) : 1, 0.02);
}
