/* Plans the messages that bring the pieces of the picture to rank 0. */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <string.h>

static const char *const PURPOSE = "gathering the picture";

/* Whether messages bring pieces to rank 0. */
static bool gathers(const composite_run *run)
{
    return run->request->target != COMPOSITE_PIECES && run->reach != COMPOSITE_REACH_ALL;
}

/* Whether the late positions are those of the last gathering. Ranks may have looked at
 * other ones in between, and not all of them: so contents count. */
static bool has_same_late(const composite_gathering *last,
                          const composite_problem *problem)
{
    for (int position = 0; position < problem->size; position++) {
        if (last->late[position] != (problem->late && problem->late[position])) {
            return false;
        }
    }
    return true;
}

/* The pieces follow from the algorithm, and their ranks from the visibility order. */
bool composite_gather_is_new(const composite_run *run)
{
    const composite_executor *executor = run->executor;
    const composite_gathering *last = &executor->gathering;
    const composite_plan_key *key = &executor->plan.key;
    const composite_problem *problem = &key->problem;
    return gathers(run) &&
           (last->algorithm != key->algorithm || last->reach != run->reach ||
            last->segment != key->segment || last->problem.pixels != problem->pixels ||
            last->problem.op != problem->op ||
            last->problem.gather_bytes != problem->gather_bytes ||
            last->problem.nodes != problem->nodes || !has_same_late(last, problem) ||
            memcmp(&last->problem.cuts, &problem->cuts, sizeof problem->cuts) != 0 ||
            memcmp(&last->params, &key->params, sizeof last->params) != 0 ||
            memcmp(last->order, run->request->order,
                   (size_t)executor->size * sizeof *last->order) != 0);
}

static void remember(const composite_run *run)
{
    composite_gathering *now = &run->executor->gathering;
    const composite_plan_key *key = &run->executor->plan.key;
    now->reach = run->reach;
    now->algorithm = key->algorithm;
    now->problem = key->problem;
    now->params = key->params;
    now->segment = key->segment;
    for (int position = 0; position < key->problem.size; position++) {
        now->late[position] = key->problem.late && key->problem.late[position];
    }
    memcpy(now->order, run->request->order,
           (size_t)run->executor->size * sizeof *now->order);
}

/* The number of pieces that this rank has to send. */
static int64_t count_own(const composite_run *run)
{
    const composite_executor *executor = run->executor;
    const bool is_near = executor->rank == 0 || composite_is_near(run, run->root);
    return is_near ? 0 : executor->plan.pieces->count;
}

static void igather(composite_executor *executor, int mine)
{
    MPI_Request request;
    MPI_Igather(&mine, 1, MPI_INT, executor->gathering.counts, 1, MPI_INT, 0,
                executor->comm, &request);
    parallel_wait(&request);
}

static void igatherv(composite_executor *executor, int64_t mine)
{
    composite_gathering *gathering = &executor->gathering;
    int64_t *pieces = gathering->pieces;
    MPI_Request request;
    const void *own = executor->rank == 0 ? MPI_IN_PLACE : pieces;
    MPI_Igatherv(own, parallel_count(2 * mine), MPI_INT64_T, pieces, gathering->counts,
                 gathering->offsets, MPI_INT64_T, 0, executor->comm, &request);
    parallel_wait(&request);
}

/* On rank 0: computes the offset of each rank's pieces. Returns their number. */
static int64_t lay_out(composite_executor *executor)
{
    composite_gathering *gathering = &executor->gathering;
    int64_t values = 0;
    for (int r = 0; executor->rank == 0 && r < executor->size; r++) {
        gathering->offsets[r] = parallel_count(values);
        gathering->counts[r] *= 2;
        values += gathering->counts[r];
    }
    return values / 2;
}

static composite_op make_op(const composite_run *run, int src, const int64_t *piece)
{
    return (composite_op){.round = COMPOSITE_GATHER_ROUND,
                          .src = src,
                          .dst = run->root,
                          .run0 = 0,
                          .run1 = run->executor->size,
                          .pix0 = piece[0],
                          .npix = piece[1] - piece[0]};
}

/* Makes the ops that this rank sends, or rank 0 receives. */
static void make_ops(composite_run *run, int64_t mine)
{
    composite_executor *executor = run->executor;
    composite_gathering *gathering = &executor->gathering;
    gathering->nops = 0;
    for (int64_t i = 0; i < mine; i++) {
        gathering->ops[gathering->nops++] =
            make_op(run, executor->plan.key.position, gathering->pieces + 2 * i);
    }
    for (int src = 0; executor->rank == 0 && src < executor->size; src++) {
        const int rank = run->request->order[src];
        for (int i = 0; i < gathering->counts[rank]; i += 2) {
            gathering->ops[gathering->nops++] =
                make_op(run, src, gathering->pieces + gathering->offsets[rank] + i);
        }
    }
}

status composite_gather_exchange(composite_run *run)
{
    composite_executor *executor = run->executor;
    composite_gathering *gathering = &executor->gathering;
    const int64_t mine = count_own(run);
    gathering->algorithm = NULL;
    igather(executor, parallel_count(mine));
    const int64_t count = executor->rank == 0 ? lay_out(executor) : mine;
    status s = composite_memory_grow(&executor->memory, &gathering->ops,
                                     &gathering->ops_capacity, count,
                                     sizeof *gathering->ops, PURPOSE);
    s = s == STATUS_OK ? composite_memory_grow(&executor->memory, &gathering->pieces,
                                               &gathering->pieces_capacity, 2 * count,
                                               sizeof *gathering->pieces, PURPOSE)
                       : s;
    s = parallel_agree(executor->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t i = 0; i < mine; i++) {
        gathering->pieces[2 * i] = executor->plan.pieces->items[i].pix0;
        gathering->pieces[2 * i + 1] = executor->plan.pieces->items[i].pix1;
    }
    igatherv(executor, mine);
    make_ops(run, mine);
    remember(run);
    return STATUS_OK;
}

status composite_gather_plan(composite_run *run)
{
    const composite_gathering *gathering = &run->executor->gathering;
    return composite_plan_gather(&run->executor->plan, gathering->ops,
                                 gathers(run) ? gathering->nops : 0);
}
