/* Many segments through render/transfer/lookup.h, compiled once per instruction set. */
#ifndef TESTS_UNIT_RENDER_TEST_TRANSFER_LANES_H
#define TESTS_UNIT_RENDER_TEST_TRANSFER_LANES_H

#include "render/transfer/transfer.h"

typedef struct lane_segment {
    float s0, s1, length;
    bool is_active; /* others must change nothing */
} lane_segment;

typedef struct lane_result {
    float emitted[3], absorbed;
    bool is_exact; /* took the slow way */
    bool is_clear; /* by the cheap test */
} lane_result;

/* Lanes of one instruction set. */
typedef struct lane_runner {
    const char *name;

    /* Advances `rays` rays by `steps` segments each; both arrays are [steps][rays]. */
    void (*advance)(const render_transfer *transfer, int rays, int steps,
                    const lane_segment *segments, lane_result *results);

    /* Integrates the parts of a way that end at these shares of it, which ascend to 1;
     * both arrays are [count]. */
    void (*cut)(const render_transfer *transfer, const lane_segment *way, int count,
                const float *shares, lane_result *results);
} lane_runner;

extern const lane_runner lane_runner_plain, lane_runner_four, lane_runner_avx2,
    lane_runner_avx512;

#endif
