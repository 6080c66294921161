/* The counts at which another algorithm becomes the fastest. */
#include "algorithms.h"

#include "messages/collective/walk.h"

#include <math.h>

/* The search for the fastest algorithm. */
typedef struct race {
    collective_walker *walker;
    const collective_operation *operation;
    collective_problem problem;
    const collective_machine *machine;
} race;

/* The seconds of an algorithm; infinite if its segments would be too many. */
static status find_seconds(race *of, const collective_algorithm *algorithm,
                           double *seconds)
{
    const int64_t segment = of->problem.segment;
    *seconds = INFINITY;
    return algorithm->has_segments && segment > 0 &&
                   of->problem.count / segment >= COLLECTIVE_MOST_SEGMENTS
               ? STATUS_OK
               : collective_walk_seconds(of->walker, algorithm, &of->problem, of->machine,
                                         seconds);
}

static status find_fastest(race *of, int64_t count, const collective_algorithm **fastest)
{
    const collective_algorithm *algorithm;
    double least = INFINITY;
    status s = STATUS_OK;
    of->problem.count = count;
    for (int n = 0; (algorithm = collective_algorithm_at(n)) && s == STATUS_OK; n++) {
        if (algorithm->operation != of->operation) {
            continue;
        }
        double seconds;
        s = find_seconds(of, algorithm, &seconds);
        if (seconds < least * (1 - 1e-12)) {
            least = seconds;
            *fastest = algorithm;
        }
    }
    return s;
}

/* The first count in (low, high] at which the fastest algorithm is not `before`. */
static status bisect(race *of, int64_t low, int64_t high,
                     const collective_algorithm *before, collective_range_of_counts *out)
{
    status s = find_fastest(of, high, &out->algorithm);
    while (high - low > 1 && s == STATUS_OK) {
        const int64_t middle = low + (high - low) / 2;
        const collective_algorithm *fastest = before;
        s = find_fastest(of, middle, &fastest);
        if (fastest == before) {
            low = middle;
        } else {
            high = middle;
            out->algorithm = fastest;
        }
    }
    out->count = high;
    return s;
}

status collective_crossovers(
    collective_walker *walker, const collective_operation *operation,
    const collective_problem *problem, const collective_machine *machine,
    collective_range_of_counts ranges[COLLECTIVE_MOST_CROSSOVERS], int *nranges)
{
    race of = {walker, operation, *problem, machine};
    const int64_t longest =
        problem->segment > 0 && problem->segment < COLLECTIVE_LAST_COUNT
            ? problem->segment * COLLECTIVE_TRIED_SEGMENTS
            : COLLECTIVE_LAST_COUNT;
    const int64_t most =
        longest < COLLECTIVE_LAST_COUNT ? longest : COLLECTIVE_LAST_COUNT;
    const int64_t last = operation->is_barrier ? 1 : most;
    ranges[0].count = 1;
    ranges[0].algorithm = NULL;
    *nranges = 1;
    status s = find_fastest(&of, 1, &ranges[0].algorithm);
    for (int64_t low = 1, high = 2; high <= last && s == STATUS_OK;) {
        const collective_range_of_counts *now = &ranges[*nranges - 1];
        const collective_algorithm *fastest = now->algorithm;
        s = find_fastest(&of, high, &fastest);
        if (fastest == now->algorithm || *nranges == COLLECTIVE_MOST_CROSSOVERS) {
            low = high;
            high *= 2;
        } else if (s == STATUS_OK) {
            s = bisect(&of, low, high, now->algorithm, &ranges[*nranges]);
            low = ranges[(*nranges)++].count;
        }
    }
    return s;
}
