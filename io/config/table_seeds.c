/* The keys of the seeds of particles. */
#include "config.h"
#include "table.h"

#define SEED_KEY(_name, _least, _most, _kind, _help)                                     \
    {                                                                                    \
        (_name), IO_KEY_NUMBER,                                                          \
            .many = IO_KEY_GROWN, .width = 3, .least = (_least), .most = (_most),        \
            .offset = offsetof(io_seed_config, points), .size = sizeof(double[3]),       \
            .count_offset = offsetof(io_seed_config, npoints), .kind = (_kind),          \
            .otherwise = "one of these four", .help = (_help)                            \
    }

const io_key io_config_seed_keys[] = {
    {"block", IO_KEY_TEXT, IO_AT(io_seed_config, block), .otherwise = "all blocks",
     .help = "points are grid coordinates i, j, k of it, from 0"},
    SEED_KEY("points", 1, 0, "[[x, y, z], …]", "each point is a seed"),
    SEED_KEY("line", 2, 2, "two points", "seeds from one end to the other"),
    SEED_KEY("plane", 3, 3, "three points", "a corner and the two next to it"),
    SEED_KEY("box", 2, 2, "two points", "two opposite corners"),
    {"count", IO_KEY_INT, IO_COUNTED(io_seed_config, counts, ncounts, 3),
     IO_WITHIN(1, IO_MAX_SEEDS), .flags = IO_KEY_WRAPPED,
     .kind = "up to three whole numbers", .otherwise = "required but for `points`",
     .help = "seeds along each side, with both ends"},
    {0},
};
