#include "monitor.h"

#include "failure.h"
#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_PERIODS = 10 };

struct solver_monitor {
    double area;
    FILE *file; /* on rank 0 */
    const char *path;
    int64_t count, capacity;
    solver_sample *samples; /* on rank 0 */
};

/* ---- Shedding ---- */

typedef struct swing {
    double mean, least, most;
} swing;

static swing measure(int64_t n, const solver_sample *s)
{
    swing w = {0.0, INFINITY, -INFINITY};
    double sum = 0.0, duration = 0.0;
    for (int64_t i = 0; i < n; i++) {
        w.least = fmin(w.least, s[i].lift);
        w.most = fmax(w.most, s[i].lift);
        if (i > 0) {
            double step = s[i].time - s[i - 1].time;
            sum += 0.5 * step * (s[i].lift + s[i - 1].lift);
            duration += step;
        }
    }
    w.mean = duration > 0.0 ? sum / duration : 0.0;
    return w;
}

/* The time at which the lift rises through `mean`, between two samples. */
static double crossing(const solver_sample *below, const solver_sample *above,
                       double mean)
{
    double part = (mean - below->lift) / (above->lift - below->lift);
    return below->time + part * (above->time - below->time);
}

solver_shedding solver_shedding_find(int64_t n, const solver_sample *samples)
{
    int64_t begin = 0;
    while (begin < n &&
           samples[begin].time < 0.5 * (samples[0].time + samples[n - 1].time)) {
        begin++;
    }
    swing w = measure(n - begin, samples + begin);
    double newest = 0.0, oldest = 0.0;
    int crossings = 0;
    for (int64_t i = n - 1; i > begin && crossings <= MAX_PERIODS; i--) {
        if (samples[i - 1].lift < w.mean && samples[i].lift >= w.mean) {
            oldest = crossing(&samples[i - 1], &samples[i], w.mean);
            newest = crossings == 0 ? oldest : newest;
            crossings++;
        }
    }
    if (crossings < 3) {
        return (solver_shedding){.periods = crossings > 0 ? crossings - 1 : 0};
    }
    return (solver_shedding){.periods = crossings - 1,
                             .frequency = (crossings - 1) / (newest - oldest),
                             .amplitude = 0.5 * (w.most - w.least)};
}

/* ---- Samples ---- */

static bool open_file(solver_monitor *monitor, const char *path, bool goes_on)
{
    if (!solver_output_folders(path)) {
        return false;
    }
    monitor->path = path;
    monitor->file = fopen(path, goes_on ? "a" : "w");
    if (!monitor->file) {
        return solver_output_fail(path);
    }
    if (ftell(monitor->file) == 0) {
        fputs("step,time,residual,drag,lift\n", monitor->file);
    }
    return true;
}

bool solver_monitor_create(solver_flow *flow, double area, const char *path,
                           solver_monitor **out)
{
    MPI_Comm comm = solver_flow_comm(flow);
    solver_monitor *monitor = calloc(1, sizeof *monitor);
    bool works = monitor || solver_fail_memory(sizeof *monitor, "a monitor");
    if (monitor) {
        monitor->area = area;
    }
    if (monitor && path[0] && solver_rank(comm) == 0) {
        works = open_file(monitor, path, solver_flow_steps(flow) > 0);
    }
    if (!solver_agree(comm, works)) {
        solver_monitor_destroy(&monitor);
        return false;
    }
    *out = monitor;
    return true;
}

void solver_monitor_destroy(solver_monitor **monitor)
{
    if (*monitor) {
        if ((*monitor)->file) {
            fclose((*monitor)->file);
        }
        free((*monitor)->samples);
        free(*monitor);
        *monitor = NULL;
    }
}

static bool keep(solver_monitor *monitor, const solver_sample *sample)
{
    if (monitor->count == monitor->capacity) {
        const int64_t capacity = 2 * monitor->capacity + 64;
        solver_sample *samples =
            realloc(monitor->samples, (size_t)capacity * sizeof *samples);
        if (!samples) {
            return solver_fail_memory((size_t)capacity * sizeof *samples, "samples");
        }
        monitor->samples = samples;
        monitor->capacity = capacity;
    }
    monitor->samples[monitor->count++] = *sample;
    return true;
}

static bool write_row(const solver_monitor *monitor, const solver_sample *s)
{
    if (!monitor->file) {
        return true;
    }
    fprintf(monitor->file, "%lld,%.9g,%.6g,%.9g,%.9g\n", (long long)s->steps, s->time,
            s->residual, s->drag, s->lift);
    return (fflush(monitor->file) == 0 && !ferror(monitor->file)) ||
           solver_output_fail(monitor->path);
}

bool solver_monitor_take(solver_monitor *monitor, solver_flow *flow)
{
    double force[3];
    solver_sample sample = {.steps = solver_flow_steps(flow),
                            .time = solver_flow_time(flow),
                            .residual = solver_flow_residual(flow)};
    solver_flow_force(flow, force);
    /* The density and the speed of the free stream are 1. */
    sample.drag = 2.0 * force[0] / monitor->area;
    sample.lift = 2.0 * force[1] / monitor->area;
    MPI_Comm comm = solver_flow_comm(flow);
    return solver_agree(comm, solver_rank(comm) != 0 || (keep(monitor, &sample) &&
                                                         write_row(monitor, &sample)));
}

int64_t solver_monitor_samples(const solver_monitor *monitor, const solver_sample **out)
{
    *out = monitor->samples;
    return monitor->count;
}
