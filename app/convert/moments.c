#include "moments.h"

#include <math.h>
#include <stdlib.h>

/* Of one value. */
typedef struct moment {
    double mean, squares; /* sum of squared differences from the mean */
    float least, most;
    int64_t steps;
} moment;

/* Of a velocity. */
typedef struct stress {
    double mean[3], products[6];
    int64_t steps;
} stress;

struct mean_moments {
    int64_t most;
    int fields;
    moment *all;      /* [fields][most] */
    stress *stresses; /* [most]; NULL */
};

status moments_create(int fields, bool stresses, int64_t most, mean_moments **out)
{
    mean_moments *m = calloc(1, sizeof *m);
    const size_t count = (size_t)fields * (size_t)most + 1;
    if (m) {
        m->fields = fields;
        m->most = most;
        m->all = malloc(count * sizeof *m->all);
        m->stresses = stresses ? malloc((size_t)most * sizeof *m->stresses) : NULL;
    }
    if (!m || !m->all || (stresses && !m->stresses)) {
        moments_destroy(&m);
        return base_fail_memory(count * sizeof *m->all, "moments");
    }
    *out = m;
    return STATUS_OK;
}

void moments_destroy(mean_moments **moments)
{
    if (*moments) {
        free((*moments)->all);
        free((*moments)->stresses);
        free(*moments);
        *moments = NULL;
    }
}

void moments_clear(mean_moments *moments, int64_t count)
{
    for (int field = 0; field < moments->fields; field++) {
        for (int64_t n = 0; n < count; n++) {
            moments->all[field * moments->most + n] =
                (moment){.least = INFINITY, .most = -INFINITY};
        }
    }
    for (int64_t n = 0; n < count && moments->stresses; n++) {
        moments->stresses[n] = (stress){.steps = 0};
    }
}

static void add_values(moment *all, int64_t count, const float *values)
{
    for (int64_t n = 0; n < count; n++) {
        moment *m = &all[n];
        if (isfinite(values[n])) {
            const double value = (double)values[n], away = value - m->mean;
            m->mean += away / (double)++m->steps;
            m->squares += away * (value - m->mean);
            m->least = values[n] < m->least ? values[n] : m->least;
            m->most = values[n] > m->most ? values[n] : m->most;
        }
    }
}

void moments_add(mean_moments *moments, int64_t count, const float *const *values)
{
    enum { CHUNK = 4096 };
    /* One region for all fields: threads wait for each other at its end. */
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < count; first += CHUNK) {
        const int64_t left = count - first, size = left < CHUNK ? left : CHUNK;
        for (int field = 0; field < moments->fields; field++) {
            if (values[field]) {
                add_values(moments->all + field * moments->most + first, size,
                           values[field] + first);
            }
        }
    }
}

/* The axes of the components of a stress. */
static const int stress_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

void moments_add_stresses(mean_moments *moments, int64_t count,
                          const float *const values[3])
{
#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < count; n++) {
        stress *m = &moments->stresses[n];
        double before[3];
        if (!isfinite(values[0][n] + values[1][n] + values[2][n])) {
            continue;
        }
        m->steps++;
        for (int axis = 0; axis < 3; axis++) {
            before[axis] = (double)values[axis][n] - m->mean[axis];
            m->mean[axis] += before[axis] / (double)m->steps;
        }
        for (int c = 0; c < 6; c++) {
            const int a = stress_axes[c][0], b = stress_axes[c][1];
            m->products[c] += before[a] * ((double)values[b][n] - m->mean[b]);
        }
    }
}

void moments_get(const mean_moments *moments, int field, int statistic, int64_t count,
                 float *out)
{
    const moment *all = moments->all + field * moments->most;
    for (int64_t n = 0; n < count; n++) {
        const moment *m = &all[n];
        const double rms = sqrt(m->squares / (double)m->steps);
        const float found[4] = {(float)m->mean, (float)rms, m->least, m->most};
        out[n] = m->steps > 0 ? found[statistic] : NAN;
    }
}

void moments_get_stress(const mean_moments *moments, int component, int64_t count,
                        float *out)
{
    for (int64_t n = 0; n < count; n++) {
        const stress *m = &moments->stresses[n];
        out[n] = m->steps > 0 ? (float)(m->products[component] / (double)m->steps) : NAN;
    }
}
