#include "browser.h"

#include "base/array.h"
#include "tables.h"

#include <stdlib.h>

enum { HALF = 32, MOST_VECTORS = 2 * COLLECTIVE_MOST_RANKS };

status browser_create(browser_core **out)
{
    browser_core *core = calloc(1, sizeof *core);
    if (!core || collective_walker_create(&core->walker) != STATUS_OK) {
        free(core);
        return base_fail_memory(sizeof *core, "the collectives of a page");
    }
    *out = core;
    return STATUS_OK;
}

browser_core *browser_open(void)
{
    browser_core *core = NULL;
    return browser_create(&core) == STATUS_OK ? core : NULL;
}

void browser_destroy(browser_core **at)
{
    browser_core *core = *at;
    if (!core) {
        return;
    }
    collective_walker_destroy(&core->walker);
    collective_schedule_clear(&core->schedule);
    composite_nodes_clear(&core->nodes);
    for (int n = 0; n < BROWSER_TABLES; n++) {
        free(core->tables[n].numbers);
    }
    free(core);
    *at = NULL;
}

/* ---- Names ------------------------------------------------------------------------- */

const char *browser_operation_text(int n, int which)
{
    const collective_operation *operation = collective_operation_at(n);
    return !operation                 ? NULL
           : which == BROWSER_NAME    ? operation->name
           : which == BROWSER_SUMMARY ? operation->summary
                                      : NULL;
}

static const char *order_text(collective_order order)
{
    static const char *const texts[] = {
        [COLLECTIVE_ORDER_NONE] = NULL,
        [COLLECTIVE_ORDER_ALWAYS] = "in the order of ranks",
        [COLLECTIVE_ORDER_ROOT_0] = "in the order of ranks if the root is rank 0",
        [COLLECTIVE_ORDER_NEVER] = "in another order than that of ranks"};
    return texts[order];
}

const char *browser_algorithm_text(int n, int which)
{
    const collective_algorithm *algorithm = collective_algorithm_at(n);
    if (!algorithm) {
        return NULL;
    }
    switch (which) {
    case BROWSER_NAME:
        return algorithm->name;
    case BROWSER_SUMMARY:
        return algorithm->summary;
    case BROWSER_SOURCE:
        return algorithm->source;
    case BROWSER_FORMULA:
        return algorithm->formula;
    default:
        return order_text(algorithm->order);
    }
}

int browser_operation_flags(int n)
{
    const collective_operation *operation = collective_operation_at(n);
    return operation ? operation->has_root + 2 * operation->reduces +
                           4 * operation->is_barrier + 8 * operation->has_vectors
                     : 0;
}

int browser_algorithm_flags(int n)
{
    const collective_algorithm *algorithm = collective_algorithm_at(n);
    int operation = 0;
    while (algorithm && collective_operation_at(operation) != algorithm->operation) {
        operation++;
    }
    return operation + (algorithm && algorithm->has_segments ? 256 : 0);
}

/* ---- The problem ------------------------------------------------------------------- */

double *browser_input(browser_core *core)
{
    return core->input;
}

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most;
}

/* Reads the nodes of the ranks. */
static status find_nodes(browser_core *core)
{
    const int size = (int)core->input[BROWSER_SIZE];
    int node[COLLECTIVE_MOST_RANKS];
    if (core->input[BROWSER_NODES] <= 0) {
        composite_nodes_clear(&core->nodes);
        return STATUS_OK;
    }
    for (int rank = 0; rank < size; rank++) {
        const double number = core->input[BROWSER_NODE + rank];
        if (!is_within(number, 0, COLLECTIVE_MOST_RANKS - 1)) {
            return base_fail(STATUS_USAGE, "the nodes of the page are impossible");
        }
        node[rank] = (int)number;
    }
    return composite_nodes_find(size, node, &core->nodes);
}

status browser_check_input(browser_core *core)
{
    const double *in = core->input;
    const bool is_right = is_within(in[BROWSER_SIZE], 1, COLLECTIVE_MOST_RANKS) &&
                          is_within(in[BROWSER_COUNT], 0, (double)(INT64_C(1) << 40)) &&
                          is_within(in[BROWSER_ROOT], 0, in[BROWSER_SIZE] - 1) &&
                          is_within(in[BROWSER_SEGMENT], 0, (double)(INT64_C(1) << 40)) &&
                          is_within(in[BROWSER_PORTS], 1, COLLECTIVE_MOST_RANKS);
    return is_right ? find_nodes(core)
                    : base_fail(STATUS_USAGE, "the problem of the page is impossible");
}

/* The problem of an algorithm: it has a root and segments only if the algorithm does. */
static collective_problem problem_of(const browser_core *core,
                                     const collective_algorithm *algorithm)
{
    const double *in = core->input;
    collective_problem problem = {.size = (int)in[BROWSER_SIZE],
                                  .count = (int64_t)in[BROWSER_COUNT],
                                  .root = (int)in[BROWSER_ROOT],
                                  .segment = (int64_t)in[BROWSER_SEGMENT]};
    const bool is_cut = algorithm->has_segments && problem.segment > 0;
    problem.root = algorithm->operation->has_root ? problem.root : 0;
    problem.segment = is_cut ? problem.segment : 0;
    if (is_cut && problem.count > problem.segment * COLLECTIVE_MOST_SEGMENTS) {
        problem.segment =
            (problem.count + COLLECTIVE_MOST_SEGMENTS - 1) / COLLECTIVE_MOST_SEGMENTS;
    }
    return problem;
}

static collective_machine machine_of(const browser_core *core)
{
    return (collective_machine){.alpha = core->input[BROWSER_ALPHA],
                                .beta = core->input[BROWSER_BETA],
                                .gamma = core->input[BROWSER_GAMMA],
                                .ports = (int)core->input[BROWSER_PORTS],
                                .near_alpha = core->input[BROWSER_NEAR_ALPHA],
                                .near_beta = core->input[BROWSER_NEAR_BETA],
                                .nodes = core->nodes.size > 0 ? &core->nodes : NULL};
}

void browser_give_nodes(browser_core *core, const composite_nodes *nodes)
{
    core->input[BROWSER_NODES] = nodes->size > 0;
    for (int rank = 0; rank < nodes->size && rank < COLLECTIVE_MOST_RANKS; rank++) {
        core->input[BROWSER_NODE + rank] = nodes->node[nodes->team[rank]];
    }
}

/* ---- Tables ------------------------------------------------------------------------ */

double *browser_append(browser_core *core, browser_table which, int64_t count)
{
    browser_numbers_table *t = &core->tables[which];
    double *numbers = base_array_reserve(t->numbers, &t->capacity, t->count + count + 1,
                                         sizeof *numbers);
    if (!numbers) {
        return NULL;
    }
    t->numbers = numbers;
    t->count += count;
    return numbers + t->count - count;
}

double *browser_begin_table(browser_core *core, browser_table which, int64_t count)
{
    core->tables[which].count = 0;
    return browser_append(core, which, count);
}

void browser_cut_table(browser_core *core, browser_table which, int64_t count)
{
    core->tables[which].count = count;
}

double *browser_numbers(browser_core *core, int which)
{
    return core->tables[which].numbers;
}

int browser_numbers_count(const browser_core *core, int which)
{
    return (int)core->tables[which].count;
}

const char *browser_sentence(const browser_core *core)
{
    return core->verdict.sentence;
}

static bool fill_ops(browser_core *core)
{
    const collective_schedule *schedule = &core->schedule;
    double *ops =
        browser_begin_table(core, BROWSER_OPS, BROWSER_OP_NUMBERS * schedule->count);
    double *begin = browser_begin_table(core, BROWSER_BEGIN, schedule->problem.size + 1);
    if (!ops || !begin) {
        return false;
    }
    for (int64_t i = 0; i < schedule->count; i++, ops += BROWSER_OP_NUMBERS) {
        const collective_op *op = &schedule->ops[i];
        ops[0] = op->round;
        ops[1] = op->src;
        ops[2] = op->dst;
        ops[3] = op->kind;
        ops[4] = op->from;
        ops[5] = op->into;
        ops[6] = (double)op->first;
        ops[7] = (double)op->count;
    }
    for (int rank = 0; rank <= schedule->problem.size; rank++) {
        begin[rank] = (double)schedule->begin[rank];
    }
    return true;
}

static bool fill_messages(browser_core *core, const collective_times *times)
{
    double *to = browser_begin_table(core, BROWSER_MESSAGES,
                                     BROWSER_MESSAGE_NUMBERS * times->count);
    double *path = browser_begin_table(core, BROWSER_PATH, times->npath);
    if (!to || !path) {
        return false;
    }
    for (int64_t i = 0; i < times->count; i++, to += BROWSER_MESSAGE_NUMBERS) {
        const collective_message *m = &times->messages[i];
        to[0] = m->round;
        to[1] = m->src;
        to[2] = m->dst;
        to[3] = (double)m->elements;
        to[4] = (double)m->combined;
        to[5] = m->sent;
        to[6] = m->left;
        to[7] = m->comes;
        to[8] = m->came;
        to[9] = m->combines;
        to[10] = m->done;
        to[11] = m->is_critical + 2 * m->is_near;
    }
    for (int64_t i = 0; i < times->npath; i++) {
        path[i] = (double)times->path[i];
    }
    return true;
}

static void write_cost(double *to, collective_cost cost)
{
    to[0] = (double)cost.alpha;
    to[1] = (double)cost.beta;
    to[2] = (double)cost.gamma;
}

static bool fill_figures(browser_core *core, collective_cost formula,
                         const collective_times *times)
{
    const collective_problem *problem = &core->schedule.problem;
    const collective_totals totals = collective_count(&core->schedule);
    double *finish = browser_begin_table(core, BROWSER_FINISH, problem->size);
    double *figures = browser_begin_table(core, BROWSER_TOTALS, 5);
    double *cost = browser_begin_table(core, BROWSER_COST, 10);
    double *borders = browser_begin_table(core, BROWSER_BORDERS, problem->size + 1);
    if (!finish || !figures || !cost || !borders) {
        return false;
    }
    figures[0] = totals.rounds;
    figures[1] = (double)totals.messages;
    figures[2] = (double)totals.elements;
    figures[3] = (double)totals.most_sent;
    figures[4] = (double)totals.most_received;
    write_cost(cost, formula);
    write_cost(cost + 3, times->cost);
    cost[6] = times->seconds;
    cost[7] = times->begin;
    cost[8] = (double)times->near.alpha;
    cost[9] = (double)times->near.beta;
    for (int rank = 0; rank <= problem->size; rank++) {
        borders[rank] = (double)collective_block_begin(problem, rank);
    }
    for (int rank = 0; rank < problem->size; rank++) {
        finish[rank] = times->finish[rank];
    }
    return true;
}

typedef uint64_t contents(const collective_problem *problem, int rank, int vector,
                          int64_t element);

/* Lists the blocks of all vectors whose contents are not empty. A barrier has one. */
static bool fill_cells(browser_core *core, browser_table which,
                       const collective_operation *operation, contents *of)
{
    const collective_problem *problem = &core->schedule.problem;
    const int vectors = operation->has_vectors ? problem->size : 1;
    const int blocks = operation->is_barrier ? 1 : problem->size;
    bool fits = browser_begin_table(core, which, 0) != NULL;
    for (int n = 0; n < problem->size * vectors * blocks && fits; n++) {
        const int rank = n / (vectors * blocks), vector = n / blocks % vectors;
        const int64_t first = collective_block_begin(problem, n % blocks);
        const bool is_empty = !operation->is_barrier &&
                              first == collective_block_begin(problem, n % blocks + 1);
        const uint64_t ranks = is_empty ? 0 : of(problem, rank, vector, first);
        double *to = ranks ? browser_append(core, which, BROWSER_CELL_NUMBERS) : NULL;
        fits = !ranks || to;
        if (to) {
            to[0] = rank;
            to[1] = vector;
            to[2] = n % blocks;
            to[3] = (double)(ranks & UINT32_MAX);
            to[4] = (double)(ranks >> HALF);
        }
    }
    return fits;
}

/* ---- Runs -------------------------------------------------------------------------- */

static status fail_memory(void)
{
    return base_fail(STATUS_MEMORY, "there is no memory for the tables of a collective");
}

static status collect(browser_core *core, const collective_algorithm *algorithm)
{
    const status s = algorithm ? browser_check_input(core)
                               : base_fail(STATUS_USAGE, "there is no such algorithm");
    if (s != STATUS_OK) {
        return s;
    }
    const collective_problem problem = problem_of(core, algorithm);
    return collective_schedule_collect(algorithm, &problem, &core->schedule) == STATUS_OK
               ? STATUS_OK
               : fail_memory();
}

static status walk(browser_core *core, collective_times *times)
{
    const collective_machine machine = machine_of(core);
    return collective_walk(core->walker, &core->schedule, &machine,
                           core->input + BROWSER_LATE, times);
}

/* Makes the tables of the schedule. */
static status describe(browser_core *core, const collective_algorithm *algorithm)
{
    const collective_operation *operation = algorithm->operation;
    collective_times times;
    if (collective_check(algorithm, &core->schedule, &core->verdict) != STATUS_OK) {
        return fail_memory();
    }
    const status s = walk(core, &times);
    if (s != STATUS_OK) {
        return s;
    }
    const collective_cost formula =
        collective_cost_of(algorithm, &core->schedule.problem);
    return fill_messages(core, &times) && fill_figures(core, formula, &times) &&
                   fill_cells(core, BROWSER_GIVEN, operation, operation->given) &&
                   fill_cells(core, BROWSER_PROMISED, operation, operation->promised)
               ? STATUS_OK
               : fail_memory();
}

status browser_run(browser_core *core, int algorithm)
{
    const collective_algorithm *found = collective_algorithm_at(algorithm);
    const status s = collect(core, found);
    if (s != STATUS_OK) {
        return s;
    }
    return fill_ops(core) ? describe(core, found) : fail_memory();
}

double browser_seconds(browser_core *core, int algorithm)
{
    collective_times times;
    return collect(core, collective_algorithm_at(algorithm)) == STATUS_OK &&
                   walk(core, &times) == STATUS_OK
               ? times.seconds
               : -1;
}

status browser_find_ranges(browser_core *core, int number)
{
    const collective_operation *operation = collective_operation_at(number);
    const double *in = core->input;
    if (!operation || browser_check_input(core) != STATUS_OK) {
        return base_fail(STATUS_USAGE, "the problem of the page is impossible");
    }
    const collective_problem problem = {.size = (int)in[BROWSER_SIZE],
                                        .root = (int)in[BROWSER_ROOT],
                                        .segment = (int64_t)in[BROWSER_SEGMENT]};
    const collective_machine machine = machine_of(core);
    collective_range_of_counts ranges[COLLECTIVE_MOST_CROSSOVERS];
    int count;
    const status s = collective_crossovers(core->walker, operation, &problem, &machine,
                                           ranges, &count);
    double *to =
        s == STATUS_OK ? browser_begin_table(core, BROWSER_RANGES, 2 * count) : NULL;
    if (!to) {
        return s == STATUS_OK ? fail_memory() : s;
    }
    for (int i = 0; i < count; i++) {
        to[2 * i] = (double)ranges[i].count;
        to[2 * i + 1] = collective_algorithm_number(ranges[i].algorithm);
    }
    return STATUS_OK;
}

/* ---- Changed schedules ------------------------------------------------------------- */

double *browser_change(browser_core *core, int ops)
{
    double *begin = browser_begin_table(core, BROWSER_BEGIN, COLLECTIVE_MOST_RANKS + 1);
    return begin
               ? browser_begin_table(core, BROWSER_OPS, BROWSER_OP_NUMBERS * (int64_t)ops)
               : NULL;
}

/* Whether a walk can find its way: the checker names all other defects. */
static bool is_possible(const double *op, int size)
{
    return is_within(op[0], 0, 1 << 20) && is_within(op[1], 0, size - 1) &&
           is_within(op[2], 0, size - 1) && is_within(op[3], 0, COLLECTIVE_KINDS - 1) &&
           is_within(op[4], 0, MOST_VECTORS) && is_within(op[5], 0, MOST_VECTORS);
}

/* Makes a schedule of the tables' ops. */
static status take_ops(browser_core *core)
{
    const int64_t count = core->tables[BROWSER_OPS].count / BROWSER_OP_NUMBERS;
    collective_schedule *schedule = &core->schedule;
    collective_op *ops =
        base_array_reserve(schedule->ops, &schedule->capacity, count + 1, sizeof *ops);
    if (!ops) {
        return fail_memory();
    }
    schedule->ops = ops;
    schedule->count = count;
    const double *from = core->tables[BROWSER_OPS].numbers;
    for (int64_t i = 0; i < count; i++, from += BROWSER_OP_NUMBERS) {
        if (!is_possible(from, schedule->problem.size)) {
            return base_fail(STATUS_USAGE, "the changed schedule is impossible");
        }
        ops[i] = (collective_op){
            (int)from[0], (int)from[1], (int)from[2],     (collective_kind)from[3],
            (int)from[4], (int)from[5], (int64_t)from[6], (int64_t)from[7]};
    }
    for (int rank = 0; rank <= schedule->problem.size; rank++) {
        schedule->begin[rank] = (int64_t)core->tables[BROWSER_BEGIN].numbers[rank];
    }
    return STATUS_OK;
}

status browser_run_changed(browser_core *core, int algorithm)
{
    const collective_algorithm *found = collective_algorithm_at(algorithm);
    status s = collect(core, found);
    s = s == STATUS_OK ? take_ops(core) : s;
    return s == STATUS_OK ? describe(core, found) : s;
}

status browser_run_ops(browser_core *core)
{
    collective_times times;
    status s = browser_check_input(core);
    core->schedule.problem =
        (collective_problem){.size = (int)core->input[BROWSER_SIZE],
                             .count = (int64_t)core->input[BROWSER_COUNT]};
    core->verdict = (collective_verdict){.is_right = true};
    s = s == STATUS_OK ? take_ops(core) : s;
    s = s == STATUS_OK ? walk(core, &times) : s;
    if (s != STATUS_OK) {
        return s;
    }
    return fill_messages(core, &times) &&
                   fill_figures(core, (collective_cost){0}, &times) &&
                   browser_begin_table(core, BROWSER_GIVEN, 0) &&
                   browser_begin_table(core, BROWSER_PROMISED, 0)
               ? STATUS_OK
               : fail_memory();
}
