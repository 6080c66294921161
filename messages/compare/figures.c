#include "figures.h"

#include "statistics.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- Columns ----------------------------------------------------------------------- */

#define COLUMN(name, unit)                                                               \
    {                                                                                    \
#name, unit, offsetof(compare_figures, name)                                     \
    }
#define STAGE(part, stage, n)                                                            \
    {                                                                                    \
#part "_" stage, "s", offsetof(compare_figures, part) + (n) * sizeof(double)     \
    }
#define ALL_STAGES(part)                                                                 \
    STAGE(part, "load", 0), STAGE(part, "render", 1), STAGE(part, "composite", 2),       \
        STAGE(part, "finish", 3), STAGE(part, "write", 4)

static const compare_column columns[] = {
    COLUMN(wall, "s"),
    COLUMN(wall_least, "s"),
    COLUMN(wall_most, "s"),
    COLUMN(wall_first, "s"),
    COLUMN(wall_later, "s"),
    COLUMN(wall_speedup, "1"),
    COLUMN(wall_efficiency, "1"),
    COLUMN(model, "s"),
    COLUMN(model_least, "s"),
    COLUMN(model_most, "s"),
    COLUMN(model_first, "s"),
    COLUMN(model_later, "s"),
    COLUMN(model_speedup, "1"),
    COLUMN(model_efficiency, "1"),
    COLUMN(model_draw, "s"),
    COLUMN(model_draw_speedup, "1"),
    COLUMN(model_draw_efficiency, "1"),
    ALL_STAGES(work),
    ALL_STAGES(waits),
    COLUMN(render_imbalance, "1"),
    COLUMN(render_range, "1"),
    COLUMN(work_imbalance, "1"),
    COLUMN(work_range, "1"),
    COLUMN(messages, "count"),
    COLUMN(bytes_sent, "B"),
    COLUMN(bytes_shared, "B"),
    COLUMN(memory, "B"),
    COLUMN(memory_mean, "B"),
    COLUMN(cells, "count"),
    COLUMN(cells_mean, "count"),
    COLUMN(run, "s"),
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };
_Static_assert(COLUMNS * sizeof(double) == sizeof(compare_figures),
               "every figure has a column");
_Static_assert(IO_STAGES == 5, "ALL_STAGES has all stages");

const compare_column *compare_column_at(int place)
{
    return place >= 0 && place < COLUMNS ? &columns[place] : NULL;
}

double *compare_column_of(compare_figures *figures, const compare_column *column)
{
    return (double *)(void *)((char *)figures + column->offset);
}

static double value_of(const compare_figures *figures, int column)
{
    return *(const double *)(const void *)((const char *)figures +
                                           columns[column].offset);
}

compare_figures compare_figures_none(void)
{
    compare_figures none;
    for (int c = 0; c < COLUMNS; c++) {
        *compare_column_of(&none, &columns[c]) = NAN;
    }
    return none;
}

const char *compare_stage_name(int stage)
{
    static const char *const names[IO_STAGES] = {"load", "render", "composite", "finish",
                                                 "write"};
    return names[stage];
}

/* ---- A frame ----------------------------------------------------------------------- */

double *compare_values_of(const json_t *frame, const char *part, const char *name,
                          int ranks)
{
    const json_t *from = json_object_get(frame, "ranks");
    from = part ? json_object_get(from, part) : from;
    from = json_object_get(from, name);
    if (!json_is_array(from) || json_array_size(from) != (size_t)ranks) {
        return NULL;
    }
    double *values = malloc((size_t)ranks * sizeof *values);
    for (int r = 0; values && r < ranks; r++) {
        values[r] = json_number_value(json_array_get(from, (size_t)r));
    }
    return values;
}

/* Work of every rank in every stage: [IO_STAGES][ranks], malloc'ed; NULL if the frame
 * lacks it. */
static double *find_work(const json_t *frame, int ranks)
{
    double *work = malloc(IO_STAGES * (size_t)ranks * sizeof *work);
    for (int stage = 0; work && stage < IO_STAGES; stage++) {
        const char *name = compare_stage_name(stage);
        double *cpu = compare_values_of(frame, "cpu", name, ranks);
        double *waited = compare_values_of(frame, "waited", name, ranks);
        bool is_there = cpu && waited;
        for (int r = 0; is_there && r < ranks; r++) {
            work[stage * ranks + r] = fmax(0.0, cpu[r] - waited[r]);
        }
        free(cpu);
        free(waited);
        if (!is_there) {
            free(work);
            return NULL;
        }
    }
    return work;
}

/* The longest work of a rank in rendering and compositing: the stages without files. */
static double model_drawing(const double *work, int ranks)
{
    double most = 0.0;
    for (int r = 0; r < ranks; r++) {
        most = fmax(most, work[IO_STAGE_RENDER * ranks + r] +
                              work[IO_STAGE_COMPOSITE * ranks + r]);
    }
    return most;
}

/* The rank with most work determines the time of the modelled frame. */
static void model_frame(const double *work, int ranks, double *totals,
                        compare_figures *out)
{
    int slowest = 0;
    for (int r = 0; r < ranks; r++) {
        totals[r] = 0.0;
        for (int stage = 0; stage < IO_STAGES; stage++) {
            totals[r] += work[stage * ranks + r];
        }
        slowest = totals[r] > totals[slowest] ? r : slowest;
    }
    out->model = totals[slowest];
    out->model_draw = model_drawing(work, ranks);
    for (int stage = 0; stage < IO_STAGES; stage++) {
        out->work[stage] = work[stage * ranks + slowest];
    }
    const double *render = &work[IO_STAGE_RENDER * ranks];
    out->render_imbalance = compare_imbalance(ranks, render);
    out->render_range = compare_range(ranks, render);
    out->work_imbalance = compare_imbalance(ranks, totals);
    out->work_range = compare_range(ranks, totals);
}

static double number_at(const json_t *from, const char *name, const char *member)
{
    const json_t *value = json_object_get(from, name);
    value = member ? json_object_get(value, member) : value;
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Fills in the figures that a frame has by itself. */
static bool measure_frame(const json_t *frame, int ranks, compare_figures *out)
{
    double *work = find_work(frame, ranks);
    double *totals = malloc((size_t)ranks * sizeof *totals);
    bool is_there = work && totals;
    if (is_there) {
        model_frame(work, ranks, totals, out);
        const json_t *seconds = json_object_get(frame, "seconds");
        out->wall = number_at(seconds, "total", "max");
        for (int stage = 0; stage < IO_STAGES; stage++) {
            out->waits[stage] = number_at(seconds, compare_stage_name(stage), "max");
        }
        out->messages = number_at(frame, "messages_sent", NULL);
        out->bytes_sent = number_at(frame, "bytes_sent", NULL);
        out->bytes_shared = number_at(frame, "bytes_shared", NULL);
    }
    free(totals);
    free(work);
    return is_there;
}

/* ---- A run ------------------------------------------------------------------------- */

/* Adds a frame to the means over `frames` frames. */
static void add_frame(compare_figures *mean, const compare_figures *frame, double frames)
{
    for (int c = 0; c < COLUMNS; c++) {
        *compare_column_of(mean, &columns[c]) += value_of(frame, c) / frames;
    }
}

/* Reads the peak values, which the last frame has. */
static void read_memory(const json_t *frame, compare_figures *out)
{
    out->memory = number_at(frame, "peak_memory", "max");
    out->memory_mean = number_at(frame, "peak_memory", "mean");
    out->cells = number_at(frame, "cells_held", "max");
    out->cells_mean = number_at(frame, "cells_held", "mean");
}

status compare_figures_of_run(const json_t *timings, double run, compare_figures *out)
{
    const json_t *frames = json_object_get(timings, "frames");
    size_t count = json_array_size(frames);
    int ranks = (int)json_integer_value(json_object_get(timings, "ranks"));
    /* Later frames reuse all that depends on the view only, so they have their own mean.
     */
    compare_figures mean = {.wall = 0.0}, later = mean, first = mean;
    for (size_t f = 0; f < count && ranks > 0; f++) {
        compare_figures frame = compare_figures_none();
        if (!measure_frame(json_array_get(frames, f), ranks, &frame)) {
            count = 0;
            break;
        }
        add_frame(&mean, &frame, (double)count);
        if (f == 0) {
            first = frame;
        } else {
            add_frame(&later, &frame, (double)count - 1.0);
        }
    }
    if (count == 0 || ranks <= 0) {
        return base_fail(STATUS_INPUT,
                         "the timings of a run lack the times of its ranks");
    }
    mean.wall_first = first.wall;
    mean.model_first = first.model;
    mean.wall_later = count > 1 ? later.wall : NAN;
    mean.model_later = count > 1 ? later.model : NAN;
    read_memory(json_array_get(frames, count - 1), &mean);
    mean.run = run;
    mean.wall_least = mean.wall_most = mean.wall;
    mean.model_least = mean.model_most = mean.model;
    *out = mean;
    return STATUS_OK;
}

/* ---- Several runs ------------------------------------------------------------------ */

status compare_figures_combine(int n, const compare_figures *runs, compare_figures *out)
{
    double *values = malloc((size_t)n * sizeof *values);
    if (!values) {
        return base_fail_memory((size_t)n * sizeof *values, "figures");
    }
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < n; i++) {
            values[i] = value_of(&runs[i], c);
        }
        *compare_column_of(out, &columns[c]) = compare_median(n, values);
    }
    for (int i = 0; i < n; i++) {
        out->wall_least = fmin(out->wall_least, runs[i].wall);
        out->wall_most = fmax(out->wall_most, runs[i].wall);
        out->model_least = fmin(out->model_least, runs[i].model);
        out->model_most = fmax(out->model_most, runs[i].model);
    }
    free(values);
    return STATUS_OK;
}

void compare_figures_relate(compare_figures *figures, int ranks,
                            const compare_figures *base, int base_ranks)
{
    figures->wall_speedup = compare_speedup(base->wall, figures->wall);
    figures->model_speedup = compare_speedup(base->model, figures->model);
    figures->model_draw_speedup = compare_speedup(base->model_draw, figures->model_draw);
    figures->wall_efficiency =
        compare_efficiency(figures->wall_speedup, base_ranks, ranks);
    figures->model_efficiency =
        compare_efficiency(figures->model_speedup, base_ranks, ranks);
    figures->model_draw_efficiency =
        compare_efficiency(figures->model_draw_speedup, base_ranks, ranks);
}
