/* The code of a lane_runner; the file that includes this has defined RUNNER and
 * RUNNER_NAME. */
#include "test_transfer_lanes.h"

#include "render/transfer/cut.h"

enum { S0, S1, LENGTH, INPUTS };

/* One step of LANES rays, of which the first `count` exist. */
static unsigned load_step(int count, const lane_segment *segments, vfloat out[INPUTS])
{
    float numbers[INPUTS][LANES] __attribute__((aligned(64))) = {{0}};
    unsigned active = 0;
    for (int n = 0; n < count; n++) {
        numbers[S0][n] = segments[n].s0;
        numbers[S1][n] = segments[n].s1;
        numbers[LENGTH][n] = segments[n].length;
        active |= segments[n].is_active ? 1u << n : 0;
    }
    for (int i = 0; i < INPUTS; i++) {
        out[i] = lanes_load(numbers[i]);
    }
    return active;
}

static void store_step(int count, const vfloat values[4], unsigned exact, unsigned clear,
                       lane_result *results)
{
    float numbers[4][LANES] __attribute__((aligned(64)));
    for (int i = 0; i < 4; i++) {
        lanes_store(numbers[i], values[i]);
    }
    for (int n = 0; n < count; n++) {
        results[n] = (lane_result){
            .emitted = {numbers[0][n], numbers[1][n], numbers[2][n]},
            .absorbed = numbers[3][n],
            .is_exact = (exact >> n & 1) != 0,
            .is_clear = (clear >> n & 1) != 0,
        };
    }
}

static void advance(const render_transfer *transfer, int rays, int steps,
                    const lane_segment *segments, lane_result *results)
{
    for (int first = 0; first < rays; first += LANES) {
        const int count = rays - first < LANES ? rays - first : LANES;
        transfer_lanes last = transfer_lanes_start();
        for (int step = 0; step < steps; step++) {
            const int64_t at = (int64_t)step * rays + first;
            vfloat in[INPUTS], out[4];
            const vmask active = lanes_mask(load_step(count, segments + at, in));
            const vmask clear = transfer_lanes_clear(transfer, in[S0], in[S1]);
            transfer_lanes_shown shown;
            const vmask exact = transfer_lanes_advance(
                transfer, &last, active,
                (transfer_lanes_stretch){in[S0], in[S1], in[LENGTH]}, &shown);
            for (int c = 0; c < 3; c++) {
                out[c] = shown.emitted[c];
            }
            out[3] = shown.absorbed;
            store_step(count, out, lanes_mask_bits(exact), lanes_mask_bits(clear),
                       results + at);
        }
    }
    lanes_leave();
}

/* One part after the other, each in another lane. */
static void cut(const render_transfer *transfer, const lane_segment *way, int count,
                const float *shares, lane_result *results)
{
    transfer_lanes last = transfer_lanes_start();
    float from = 0.0f;
    for (int n = 0; n < count; n++) {
        const int lane = n % LANES;
        const vmask one = lanes_mask(1u << lane);
        const transfer_lanes_active active = {one, one};
        const vfloat length = lanes_float(way->length);
        transfer_lanes_segment part = {.s0 = lanes_float(way->s0),
                                       .s1 = lanes_float(way->s1),
                                       .from = lanes_float(from),
                                       .to = lanes_float(shares[n]),
                                       .length =
                                           lanes_float((shares[n] - from) * way->length),
                                       .tabled = lanes_mask(0)};
        transfer_lanes_light light;
        transfer_lanes_shown shown;
        transfer_lanes_advance_cut(transfer, &last, &active, &part, &length, &light);
        transfer_lanes_give(one, &light, &shown);
        float numbers[4][LANES] __attribute__((aligned(64)));
        for (int c = 0; c < 3; c++) {
            lanes_store(numbers[c], shown.emitted[c]);
        }
        lanes_store(numbers[3], shown.absorbed);
        results[n] = (lane_result){
            .emitted = {numbers[0][lane], numbers[1][lane], numbers[2][lane]},
            .absorbed = numbers[3][lane]};
        from = shares[n];
    }
    lanes_leave();
}

const lane_runner RUNNER = {.name = RUNNER_NAME, .advance = advance, .cut = cut};
