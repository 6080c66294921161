/* Helpers of the tests of schedules: they prove schedules, and read the operations of one
 * position. */
#ifndef TESTS_UNIT_COMPOSITE_STREAMS_H
#define TESTS_UNIT_COMPOSITE_STREAMS_H

#include "composite/check.h"
#include "composite/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers make everything ten times slower: then every n-th case will do. */
#if defined(__SANITIZE_ADDRESS__)
enum { EVERY = 7 };
#else
enum { EVERY = 1 };
#endif

/* Proves a schedule; the summary may be NULL. */
static inline void expect_right(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params,
                                composite_schedule_summary *summary)
{
    base_fail_set_message("");
    if (composite_schedule_check(algorithm, problem, params, summary) != STATUS_OK) {
        fail_msg("%s, %d positions, %lld pixels, operator %d, root %d, %d factors from "
                 "%d on, group %d, fan_in %d: expected a right schedule, actual: %s",
                 algorithm->name, problem->size, (long long)problem->pixels,
                 (int)problem->op, problem->root, params->nfactors, params->factors[0],
                 params->group, params->fan_in, base_fail_message());
    }
}

/* Ops of one position, in their order. */
typedef struct stream {
    composite_op *ops; /* [count] */
    int64_t count, capacity;
} stream;

static inline int stream_append(const composite_op *op, void *context)
{
    stream *all = context;
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->ops = realloc(all->ops, (size_t)all->capacity * sizeof *op);
        assert_non_null(all->ops);
    }
    all->ops[all->count++] = *op;
    return 0;
}

/* Everything that a position yields; the caller frees `ops`. */
static inline stream stream_read(const char *name, const composite_problem *problem,
                                 const composite_params *params, int position)
{
    stream all = {0};
    const composite_algorithm *algorithm = composite_algorithm_find(name);
    assert_non_null(algorithm);
    assert_int_equal(composite_schedule_generate(algorithm, problem, params, position,
                                                 stream_append, &all),
                     0);
    return all;
}

static inline bool same_op(const composite_op *a, const composite_op *b)
{
    return a->round == b->round && a->src == b->src && a->dst == b->dst &&
           a->run0 == b->run0 && a->run1 == b->run1 && a->pix0 == b->pix0 &&
           a->npix == b->npix;
}

#endif
