#include "schedule.h"

#include <limits.h>
#include <stdio.h>

static bool is_cut(const composite_cuts *cuts)
{
    return cuts->before[COMPOSITE_BANDS] > 0;
}

/* The last band that has no more than `wanted` work before it; it is not empty. */
static int find_band(const composite_cuts *cuts, int64_t wanted)
{
    int low = 0;
    int high = COMPOSITE_BANDS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (cuts->before[middle] <= wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t composite_cuts_pixel(const composite_cuts *cuts, int64_t pixels, int64_t n)
{
    if (!is_cut(cuts) || n <= 0 || n >= pixels) {
        return n;
    }
    const int64_t wanted = n * cuts->before[COMPOSITE_BANDS] / pixels;
    const int band = find_band(cuts, wanted);
    const int64_t begin = composite_share_begin(pixels, COMPOSITE_BANDS, band);
    const int64_t count =
        composite_share_begin(pixels, COMPOSITE_BANDS, band + 1) - begin;
    return begin + (wanted - cuts->before[band]) * count /
                       (cuts->before[band + 1] - cuts->before[band]);
}

int composite_visit_range(composite_op op, composite_range range, composite_visit *visit,
                          void *context)
{
    op.pix0 = range.pix0;
    op.npix = range.pix1 - range.pix0;
    return op.npix > 0 ? visit(&op, context) : 0;
}

/* ---- Nodes ------------------------------------------------------------------------- */

/*
 * How ranks of a node merge first.
 *
 * The picture is cut into slices, and each member of a team owns as many of them as the
 * others. Round 0 is direct-send within the team, so that each member has the team's
 * image in its slices; ranks that share memory send nothing for that. Then the algorithm
 * runs once for each slice, with teams for positions: the member that owns the slice acts
 * for its team. So all ranks of a node take part, each with its own pixels, and a pixel
 * of the node's image crosses the node's link as often as the algorithm sends it, not
 * once for each rank. For two nodes of 2 and 3 ranks, and 6 slices:
 *
 *     slice        0   1   2   3   4   5
 *     node A owns  0   0   0   1   1   1     0 and 1 merge by direct-send
 *     node B owns  2   2   3   3   4   4     2, 3 and 4 as well
 *     then         0-2 0-2 0-3 1-3 1-4 1-4   the algorithm with two positions, six times
 */

/* The problem that the algorithm solves for each slice: its positions are teams. Its
 * pixels are those of the longest slice. */
static composite_problem inner_problem(const composite_problem *problem)
{
    const composite_nodes *nodes = problem->nodes;
    composite_problem inner = *problem;
    inner.nodes = NULL;
    inner.late = problem->late ? nodes->late : NULL;
    inner.cuts = (composite_cuts){0};
    inner.size = nodes->count;
    inner.root = nodes->team[problem->root];
    inner.pixels = (problem->pixels + nodes->slices - 1) / nodes->slices;
    return inner;
}

/* ---- Slices ------------------------------------------------------------------------ */

/* The first slice of a member of a team; that of member team_size is the end. */
static int first_slice(const composite_nodes *nodes, int team, int member)
{
    return (int)composite_share_begin(nodes->slices, composite_nodes_members(nodes, team),
                                      member);
}

/* The position that owns a slice in a team. */
static int find_owner(const composite_nodes *nodes, int team, int slice)
{
    return nodes->begin[team] + composite_share_find(nodes->slices,
                                                     composite_nodes_members(nodes, team),
                                                     slice);
}

static composite_range find_slices(const composite_problem *problem, int first, int end)
{
    const int slices = problem->nodes->slices;
    return (composite_range){composite_share_begin(problem->pixels, slices, first),
                             composite_share_begin(problem->pixels, slices, end)};
}

/* ---- Within a team ----------------------------------------------------------------- */

/* The message of round 0 from one member of a team to another, with the slices that the
 * receiver owns. */
static int visit_merge(const composite_problem *problem, int team, int src, int dst,
                       composite_visit *visit, void *context)
{
    const composite_nodes *nodes = problem->nodes;
    const int first = nodes->begin[team];
    const composite_op op = {.src = first + src,
                             .dst = first + dst,
                             .run0 = first + src,
                             .run1 = first + src + 1};
    const composite_range slices = find_slices(problem, first_slice(nodes, team, dst),
                                               first_slice(nodes, team, dst + 1));
    return composite_visit_range(op, slices, visit, context);
}

static int visit_team(const composite_problem *problem, int position,
                      composite_visit *visit, void *context)
{
    const int team = problem->nodes->team[position];
    const int members = composite_nodes_members(problem->nodes, team);
    const int me = position - problem->nodes->begin[team];
    int ended = 0;
    for (int step = 0; step < members - 1 && !ended; step++) {
        const int dst = composite_outward_send(members, me, step);
        const int src = composite_outward(members, me, step);
        ended = visit_merge(problem, team, me, dst, visit, context);
        if (!ended) {
            ended = visit_merge(problem, team, src, me, visit, context);
        }
    }
    return ended;
}

/* ---- Between teams ----------------------------------------------------------------- */

/* Ops of the algorithm on their way to those of the schedule. */
typedef struct slice_visit {
    const composite_nodes *nodes;
    int slice;
    int64_t pix0; /* of the slice */
    int round;    /* of the algorithm: only its ops go on */
    int next;     /* the least later round that has ops; INT_MAX: none */
    int ended;    /* returned by the last visit */
    composite_visit *visit;
    void *context;
} slice_visit;

/* Makes an op from one team to another one between the owners of the slice. */
static composite_op op_of_owners(const slice_visit *v, const composite_op *op)
{
    const composite_nodes *nodes = v->nodes;
    return (composite_op){.round = 1 + op->round,
                          .src = find_owner(nodes, op->src, v->slice),
                          .dst = find_owner(nodes, op->dst, v->slice),
                          .run0 = nodes->begin[op->run0],
                          .run1 = nodes->begin[op->run1],
                          .pix0 = v->pix0 + op->pix0,
                          .npix = op->npix};
}

static int visit_op(const composite_op *op, void *context)
{
    slice_visit *v = context;
    if (op->round == v->round) {
        const composite_op between = op_of_owners(v, op);
        v->ended = v->visit(&between, v->context);
        return v->ended;
    }
    if (op->round > v->round) {
        v->next = op->round < v->next ? op->round : v->next;
        return 1; /* rounds ascend: the rest is later, too */
    }
    return 0;
}

/* One round of the algorithm for all slices of a position; v->next becomes the next one.
 * Ops of a pair then ascend in pixels, slice by slice. */
static int visit_round(const composite_algorithm *algorithm,
                       const composite_problem *problem, const composite_params *params,
                       int position, slice_visit *v)
{
    const composite_nodes *nodes = problem->nodes;
    const int team = nodes->team[position];
    const int me = position - nodes->begin[team];
    composite_problem inner = inner_problem(problem);
    inner.first_round = v->round;
    const int end = first_slice(nodes, team, me + 1);
    for (v->slice = first_slice(nodes, team, me); v->slice < end; v->slice++) {
        const composite_range slice = find_slices(problem, v->slice, v->slice + 1);
        v->pix0 = slice.pix0;
        inner.pixels = slice.pix1 - slice.pix0;
        algorithm->generate(&inner, params, team, visit_op, v);
        if (v->ended) {
            return v->ended;
        }
    }
    return 0;
}

static int generate_by_nodes(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_visit *visit, void *context)
{
    slice_visit v = {.nodes = problem->nodes, .visit = visit, .context = context};
    int ended = visit_team(problem, position, visit, context);
    while (!ended && v.round != INT_MAX) {
        v.next = INT_MAX;
        ended = visit_round(algorithm, problem, params, position, &v);
        v.round = v.next;
    }
    return ended;
}

/* ---- Any schedule ------------------------------------------------------------------ */

/* The visitor that gets the ops, once they have their pixels. */
typedef struct cutter {
    const composite_problem *problem;
    composite_visit *visit;
    void *context;
} cutter;

static int cut_op(const composite_op *op, void *context)
{
    const cutter *c = context;
    const composite_problem *problem = c->problem;
    const composite_range range = {
        composite_cuts_pixel(&problem->cuts, problem->pixels, op->pix0),
        composite_cuts_pixel(&problem->cuts, problem->pixels, op->pix0 + op->npix)};
    return composite_visit_range(*op, range, c->visit, c->context);
}

/* Whether ranks of a node merge first; else the algorithm has all positions. */
static bool has_teams(const composite_problem *problem)
{
    return problem->nodes && problem->nodes->count < problem->size;
}

/* Generates the ops on the scale of the cuts. */
static int generate_on_scale(const composite_algorithm *algorithm,
                             const composite_problem *problem,
                             const composite_params *params, int position,
                             composite_visit *visit, void *context)
{
    return has_teams(problem)
               ? generate_by_nodes(algorithm, problem, params, position, visit, context)
               : algorithm->generate(problem, params, position, visit, context);
}

int composite_schedule_generate(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context)
{
    if (!is_cut(&problem->cuts)) {
        return generate_on_scale(algorithm, problem, params, position, visit, context);
    }
    cutter c = {problem, visit, context};
    return generate_on_scale(algorithm, problem, params, position, cut_op, &c);
}

status composite_schedule_check_params(const composite_algorithm *algorithm,
                                       const composite_problem *problem,
                                       const composite_params *params)
{
    if (!has_teams(problem)) {
        return algorithm->check_params(problem, params);
    }
    const composite_problem inner = inner_problem(problem);
    const status s = algorithm->check_params(&inner, params);
    if (s != STATUS_USAGE) {
        return s;
    }
    char reason[512];
    snprintf(reason, sizeof reason, "%s", base_fail_message());
    base_fail_set_message("");
    return base_fail(s,
                     "%s (ranks of a node merge first, so that %s runs among %d teams of "
                     "ranks)",
                     reason, algorithm->name, inner.size);
}

composite_params composite_schedule_params(const composite_algorithm *algorithm,
                                           const composite_problem *problem,
                                           const composite_params *params)
{
    composite_params chosen = *params;
    if (algorithm->choose_params) {
        const composite_problem inner =
            has_teams(problem) ? inner_problem(problem) : *problem;
        algorithm->choose_params(&inner, &chosen);
    }
    return chosen;
}

/* Whether unfinished pixels go to the root. */
static bool gathers_unfinished(const composite_problem *problem)
{
    return problem->gather_bytes == COMPOSITE_PIXEL_BYTES;
}

bool composite_leaves_root_alone(const composite_problem *problem)
{
    return gathers_unfinished(problem) && problem->size > 2 &&
           (problem->root == 0 || problem->root == problem->size - 1);
}

bool composite_is_paced(const composite_algorithm *algorithm,
                        const composite_problem *problem)
{
    return algorithm->is_exchange && gathers_unfinished(problem) && problem->size > 2 &&
           !has_teams(problem);
}

int composite_send_turn(const composite_algorithm *algorithm,
                        const composite_problem *problem, int src, int dst)
{
    const int distance = dst - src;
    const bool keeps_order =
        gathers_unfinished(problem) && !composite_is_paced(algorithm, problem);
    return keeps_order ? 0 : distance < 0 ? distance + problem->size : distance;
}

bool composite_schedule_is_direct(const composite_algorithm *algorithm,
                                  const composite_problem *problem)
{
    return algorithm->is_direct && !composite_leaves_root_alone(problem) &&
           (!has_teams(problem) || problem->nodes->count == 1);
}
