/* Means over steps. */
#include "means.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool io_means_take(const io_source *source, const grid_made *mean, int step)
{
    const double number = (double)io_source_steps(source)[step].number;
    bool takes = number >= mean->first && number <= mean->last;
    for (int n = 0; n < grid_recipe_input_count(mean->recipe) && takes; n++) {
        takes = io_source_has_field(source, step, grid_recipe_input(mean->recipe, n));
    }
    return takes;
}

status io_mean_begin(io_mean_sum *sum)
{
    const size_t count = (size_t)sum->count + 1;
    const size_t bytes = count * (sizeof *sum->sums + sizeof *sum->steps);
    sum->sums = calloc(1, bytes);
    if (!sum->sums) {
        sum->count = 0;
        return base_fail_memory(bytes, "a mean over steps");
    }
    sum->steps = (int32_t *)(void *)(sum->sums + count);
    return STATUS_OK;
}

void io_mean_add(io_mean_sum *sum, const float *values)
{
    for (int64_t n = 0; n < sum->count; n++) {
        const bool is = isfinite(values[n]);
        sum->sums[n] += is ? (double)values[n] : 0.0;
        sum->steps[n] += is;
    }
}

void io_mean_end(const io_mean_sum *sum, float *out)
{
    for (int64_t n = 0; n < sum->count; n++) {
        out[n] = sum->steps[n] > 0 ? (float)(sum->sums[n] / sum->steps[n]) : NAN;
    }
}

/* A mean that is kept. */
typedef struct kept_mean {
    grid_made *field;
    io_mean_box box;
    float *values;
} kept_mean;

typedef struct kept_means {
    int64_t count;
    size_t bytes;
    kept_mean *all; /* [count] */
} kept_means;

static void forget(void **kept)
{
    kept_means *means = *kept;
    for (int64_t n = 0; n < means->count; n++) {
        grid_made_release(&means->all[n].field);
        free(means->all[n].values);
    }
    free(means->all);
    free(means);
    *kept = NULL;
}

static int64_t values_in(const grid_made *mean, const io_mean_box *box)
{
    const int less = grid_recipe_location(mean->recipe) == GRID_CELL ? 1 : 0;
    return (box->n[0] - less) * (box->n[1] - less) * (box->n[2] - less);
}

bool io_means_find(io_source *source, const grid_made *mean, const io_mean_box *box,
                   float *out)
{
    const kept_means *means = io_source_kept(source, IO_KEPT);
    for (int64_t n = 0; means && n < means->count; n++) {
        const kept_mean *one = &means->all[n];
        if (memcmp(&one->box, box, sizeof *box) == 0 &&
            grid_made_is_same(one->field, mean)) {
            memcpy(out, one->values, (size_t)values_in(mean, box) * sizeof *out);
            return true;
        }
    }
    return false;
}

/* The most bytes that a rank keeps. */
static size_t most_bytes(const io_sweep *sweep)
{
    enum { TIMES = 8, LEAST = 1 << 26 };
    int64_t vertices = 0;
    for (int b = 0; b < sweep->layout->nblocks; b++) {
        const int64_t *n = sweep->layout->blocks[b].n;
        vertices += n[0] * n[1] * n[2];
    }
    return LEAST +
           (size_t)(TIMES * vertices / parallel_size(sweep->comm)) * sizeof(float);
}

void io_means_keep(const io_sweep *sweep, const grid_made *mean, const io_mean_box *box,
                   const float *values)
{
    kept_means *means = io_source_kept(sweep->source, IO_KEPT);
    const size_t bytes = (size_t)values_in(mean, box) * sizeof *values;
    if (means && means->bytes + bytes > most_bytes(sweep)) {
        io_source_keep(sweep->source, IO_KEPT, NULL, forget);
        means = NULL;
    }
    if (!means) {
        means = calloc(1, sizeof *means);
        io_source_keep(sweep->source, IO_KEPT, means, forget);
    }
    float *copy = malloc(bytes + 1);
    kept_mean *grown =
        means ? realloc(means->all, ((size_t)means->count + 1) * sizeof *grown) : NULL;
    if (!copy || !grown) {
        free(copy);
        if (grown) {
            means->all = grown;
        }
        return;
    }
    memcpy(copy, values, bytes);
    means->all = grown;
    means->all[means->count++] = (kept_mean){grid_made_hold(mean), *box, copy};
    means->bytes += bytes;
}
