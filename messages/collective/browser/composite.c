/* Compositing for a page: schedules of composite/, walked through by its simulator. */
#include "browser.h"

#include "composite/check.h"
#include "composite/finished.h"
#include "messages/model/simulate.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND = 2 /* of all ops: they combine */ };

/* ---- Names ------------------------------------------------------------------------- */

const char *browser_composite_text(int n, int which)
{
    const composite_algorithm *algorithm = composite_algorithm_at(n);
    return !algorithm                 ? NULL
           : which == BROWSER_NAME    ? algorithm->name
           : which == BROWSER_SUMMARY ? algorithm->summary
           : which == BROWSER_SOURCE  ? algorithm->source
                                      : NULL;
}

int browser_composite_flags(int n)
{
    static const composite_params probes[] = {
        {.nfactors = 1, .factors = {4}}, {.group = 2}, {.fan_in = 2}};
    const composite_problem problem = {.size = 4, .pixels = 4};
    const composite_algorithm *algorithm = composite_algorithm_at(n);
    int flags = 0;
    for (int bit = 0; algorithm && bit < 3; bit++) {
        const bool takes = algorithm->check_params(&problem, &probes[bit]) == STATUS_OK;
        flags |= takes ? 1 << bit : 0;
    }
    return flags;
}

/* ---- The problem ------------------------------------------------------------------- */

/* A problem, and the ops of a schedule that someone has changed: check_schedule passes
 * the problem on as it is, as it has neither nodes nor cuts. */
typedef struct given_problem {
    composite_problem problem; /* the first member */
    const double *ops, *begin; /* BROWSER_OPS, BROWSER_BEGIN */
} given_problem;

/* A run. */
typedef struct running {
    browser_core *core;
    const composite_algorithm *algorithm;
    composite_problem problem;
    composite_params params;
    status result;
    int last;         /* the round of the gathering: after all others */
    double *messages; /* BROWSER_MESSAGES, by rounds, senders, receivers */
    int64_t count;
} running;

static status fail_memory(void)
{
    return base_fail(STATUS_MEMORY, "there is no memory for the tables of a schedule");
}

static int number_of(const browser_core *core, int input)
{
    return (int)core->input[input];
}

static void read_params(const browser_core *core, composite_params *params)
{
    params->group = number_of(core, BROWSER_GROUP);
    params->fan_in = number_of(core, BROWSER_FAN_IN);
    for (int n = 0; n < BROWSER_MOST_FACTORS && core->input[BROWSER_FACTORS + n] > 0;
         n++) {
        params->factors[params->nfactors++] = number_of(core, BROWSER_FACTORS + n);
    }
}

/* The nodes of the ranks; NULL: each has its own. */
static const composite_nodes *nodes_of(const browser_core *core)
{
    return core->nodes.size > 0 ? &core->nodes : NULL;
}

/* Makes a run of the core's input. */
static status begin_run(browser_core *core, int number, running *run)
{
    *run = (running){.core = core, .algorithm = composite_algorithm_at(number)};
    status s = browser_check_input(core);
    if (s != STATUS_OK || !run->algorithm || core->input[BROWSER_COUNT] < 1) {
        return s == STATUS_OK ? base_fail(STATUS_USAGE, "there is no such schedule") : s;
    }
    const int bytes = number_of(core, BROWSER_GATHER);
    run->problem = (composite_problem){
        .size = number_of(core, BROWSER_SIZE),
        .pixels = (int64_t)core->input[BROWSER_COUNT],
        .op = core->input[BROWSER_NEAREST] > 0 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
        .root = number_of(core, BROWSER_ROOT),
        .gather_bytes = bytes < COMPOSITE_PIXEL_BYTES ? bytes : COMPOSITE_PIXEL_BYTES,
        .nodes = core->input[BROWSER_BY_NODES] > 0 ? nodes_of(core) : NULL};
    read_params(core, &run->params);
    return composite_schedule_check_params(run->algorithm, &run->problem, &run->params);
}

/* ---- Ops --------------------------------------------------------------------------- */

/* A composite_visit. */
static int take_op(const composite_op *op, void *context)
{
    running *run = context;
    double *to = browser_append(run->core, BROWSER_OPS, BROWSER_OP_NUMBERS);
    if (!to) {
        run->result = fail_memory();
        return 1;
    }
    const double values[BROWSER_OP_NUMBERS] = {
        op->round, op->src,  op->dst,          KIND,
        op->run0,  op->run1, (double)op->pix0, (double)op->npix};
    memcpy(to, values, sizeof values);
    run->last = op->round != COMPOSITE_GATHER_ROUND && op->round >= run->last
                    ? op->round + 1
                    : run->last;
    return 0;
}

/* Lists the finished pieces that other positions send to the root. */
static status take_gathering(running *run, int position)
{
    const bool is_root = position == run->problem.root;
    status s = STATUS_OK;
    for (int q = is_root ? 0 : position;
         q < (is_root ? run->problem.size : position + 1) && s == STATUS_OK; q++) {
        s = composite_finished_visit(run->algorithm, &run->problem, &run->params, q,
                                     take_op, run);
        s = s == STATUS_OK ? run->result : s;
    }
    return s;
}

/* The streams of all positions. */
static status fill_ops(running *run)
{
    browser_core *core = run->core;
    const int size = run->problem.size;
    double *begin = browser_begin_table(core, BROWSER_BEGIN, size + 1);
    if (!begin || !browser_begin_table(core, BROWSER_OPS, 0)) {
        return fail_memory();
    }
    status s = STATUS_OK;
    for (int q = 0; q < size && s == STATUS_OK; q++) {
        const int begun = browser_numbers_count(core, BROWSER_OPS) / BROWSER_OP_NUMBERS;
        begin[q] = begun;
        composite_schedule_generate(run->algorithm, &run->problem, &run->params, q,
                                    take_op, run);
        s = run->result == STATUS_OK ? take_gathering(run, q) : run->result;
    }
    const int count = browser_numbers_count(core, BROWSER_OPS) / BROWSER_OP_NUMBERS;
    double *ops = browser_numbers(core, BROWSER_OPS);
    begin[size] = count;
    for (int i = 0; i < count; i++, ops += BROWSER_OP_NUMBERS) {
        ops[0] = ops[0] >= COMPOSITE_GATHER_ROUND ? run->last : ops[0];
    }
    return s;
}

/* ---- Messages ---------------------------------------------------------------------- */

enum { ROUND, SRC, DST, ELEMENTS, COMBINED, SENT, LEFT, COMES, CAME, COMBINES, DONE };

static int compare_messages(const void *left, const void *right)
{
    const double *a = left, *b = right;
    for (int n = ROUND; n <= DST; n++) {
        if (a[n] != b[n]) {
            return a[n] < b[n] ? -1 : 1;
        }
    }
    return 0;
}

/* Lists a message for each pair of positions in a round, of the ops of the senders. */
static status list_messages(running *run)
{
    browser_core *core = run->core;
    const int count = browser_numbers_count(core, BROWSER_OPS) / BROWSER_OP_NUMBERS;
    const double *begin = browser_numbers(core, BROWSER_BEGIN);
    double *to = browser_begin_table(core, BROWSER_MESSAGES,
                                     BROWSER_MESSAGE_NUMBERS * (int64_t)count);
    if (!to) {
        return fail_memory();
    }
    const double *op = browser_numbers(core, BROWSER_OPS);
    int position = 0;
    int64_t listed = 0;
    for (int i = 0; i < count; i++, op += BROWSER_OP_NUMBERS) {
        while (i >= begin[position + 1]) {
            position++;
        }
        if (op[1] == position) {
            const double message[BROWSER_MESSAGE_NUMBERS] = {
                op[0],    op[1],     op[2],    op[7],     op[0] < run->last ? op[7] : 0,
                INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY,
                -INFINITY};
            memcpy(to + BROWSER_MESSAGE_NUMBERS * listed++, message, sizeof message);
        }
    }
    qsort(to, (size_t)listed, BROWSER_MESSAGE_NUMBERS * sizeof *to, compare_messages);
    for (int64_t i = 0; i < listed; i++) {
        double *last = to + BROWSER_MESSAGE_NUMBERS * (run->count - 1);
        double *next = to + BROWSER_MESSAGE_NUMBERS * i;
        if (run->count > 0 && compare_messages(last, next) == 0) {
            last[ELEMENTS] += next[ELEMENTS];
            last[COMBINED] += next[COMBINED];
        } else {
            memmove(to + BROWSER_MESSAGE_NUMBERS * run->count++, next,
                    BROWSER_MESSAGE_NUMBERS * sizeof *to);
        }
    }
    run->messages = to;
    browser_cut_table(core, BROWSER_MESSAGES, BROWSER_MESSAGE_NUMBERS * run->count);
    return STATUS_OK;
}

static double *find_message(const running *run, double round, int src, int dst)
{
    const double key[] = {round, src, dst};
    int64_t low = 0, high = run->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        double *at = run->messages + BROWSER_MESSAGE_NUMBERS * middle;
        const int order = compare_messages(at, key);
        if (order == 0) {
            return at;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

/* A simulate_visit_event: notes the times of a message. */
static void take_event(const simulate_event *event, void *context)
{
    const running *run = context;
    const bool sends = event->kind == SIMULATE_EVENT_SEND;
    const double round = event->round == SIMULATE_GATHER_ROUND ? run->last : event->round;
    double *m = find_message(run, round, sends ? event->position : event->peer,
                             sends ? event->peer : event->position);
    const int first = sends                                   ? SENT
                      : event->kind == SIMULATE_EVENT_RECEIVE ? COMES
                                                              : COMBINES;
    if (m) {
        m[first] = fmin(m[first], event->begin);
        m[first + 1] = fmax(m[first + 1], event->end);
    }
}

/* Fills in times that the simulator does not tell: pixels that are read in place have
 * neither sending nor coming, finished ones are not combined. Finished pieces of the
 * root's own node take no time at all. latest: of both ends, when they are done with all
 * before. */
static void complete_message(double *m, double latest)
{
    const bool is_sent = isfinite(m[SENT]);
    const double known = is_sent ? m[SENT] : isfinite(m[COMBINES]) ? m[COMBINES] : latest;
    m[SENT] = known;
    m[LEFT] = is_sent ? m[LEFT] : known;
    m[COMES] = isfinite(m[COMES]) ? m[COMES] : known;
    m[CAME] = isfinite(m[CAME]) ? m[CAME] : isfinite(m[DONE]) ? m[DONE] : m[LEFT];
    m[COMBINES] = isfinite(m[COMBINES]) ? m[COMBINES] : m[CAME];
    m[DONE] = isfinite(m[DONE]) ? m[DONE] : m[CAME];
    m[BROWSER_MESSAGE_NUMBERS - 1] = is_sent ? 0 : 2;
}

static void complete_messages(running *run)
{
    double latest[COLLECTIVE_MOST_RANKS];
    memcpy(latest, run->core->input + BROWSER_LATE, sizeof latest);
    for (int64_t i = 0; i < run->count; i++) {
        double *m = run->messages + BROWSER_MESSAGE_NUMBERS * i;
        double *src = &latest[(int)m[SRC]], *dst = &latest[(int)m[DST]];
        complete_message(m, fmax(*src, *dst));
        *dst = fmax(*dst, m[DONE]);
    }
}

/* ---- Runs -------------------------------------------------------------------------- */

/* Each message occupies its ports for alpha and beta times its pixels, one after
 * another. */
static simulate_machine machine_of(const browser_core *core)
{
    const int ports = number_of(core, BROWSER_PORTS);
    return (simulate_machine){
        .between = {.overhead = core->input[BROWSER_ALPHA],
                    .beta = core->input[BROWSER_BETA] / COMPOSITE_PIXEL_BYTES},
        .within = {.overhead = core->input[BROWSER_NEAR_ALPHA],
                   .beta = core->input[BROWSER_NEAR_BETA] / COMPOSITE_PIXEL_BYTES},
        .ports = ports,
        .receive_ports = ports,
        .is_fifo = true,
        .overlaps = true,
        .gamma = core->input[BROWSER_GAMMA]};
}

/* Without `visits` only the seconds are wanted. */
static status simulate(running *run, bool visits, simulate_simulator **simulator,
                       simulate_result *result)
{
    const simulate_machine machine = machine_of(run->core);
    const simulate_case of = {.algorithm = run->algorithm,
                              .problem = run->problem,
                              .params = run->params,
                              .nodes = nodes_of(run->core),
                              .late = run->core->input + BROWSER_LATE,
                              .visit = visits ? take_event : NULL,
                              .context = run};
    const status s = simulate_create(simulator);
    return s == STATUS_OK ? simulate_run(*simulator, &of, &machine, result) : s;
}

/* Figures of the run; the page counts messages itself. */
static status fill_figures(running *run, const simulate_result *result)
{
    browser_core *core = run->core;
    double *cost = browser_begin_table(core, BROWSER_COST, 10);
    double *finish = browser_begin_table(core, BROWSER_FINISH, run->problem.size);
    double *totals = browser_begin_table(core, BROWSER_TOTALS, 5);
    double *borders = browser_begin_table(core, BROWSER_BORDERS, 2);
    if (!cost || !finish || !totals || !borders ||
        !browser_begin_table(core, BROWSER_PATH, 0) ||
        !browser_begin_table(core, BROWSER_GIVEN, 0) ||
        !browser_begin_table(core, BROWSER_PROMISED, 0)) {
        return fail_memory();
    }
    memset(cost, 0, 10 * sizeof *cost);
    memset(totals, 0, 5 * sizeof *totals);
    cost[6] = result->seconds;
    borders[0] = 0;
    borders[1] = (double)run->problem.pixels;
    for (int q = 0; q < run->problem.size; q++) {
        finish[q] = result->ranks ? result->ranks[q].finish : result->seconds;
    }
    return STATUS_OK;
}

static status run_all(running *run)
{
    simulate_simulator *simulator = NULL;
    simulate_result result;
    status s = fill_ops(run);
    s = s == STATUS_OK ? list_messages(run) : s;
    s = s == STATUS_OK ? simulate(run, true, &simulator, &result) : s;
    if (s == STATUS_OK) {
        complete_messages(run);
        s = fill_figures(run, &result);
    }
    simulate_destroy(&simulator);
    return s;
}

status browser_composite(browser_core *core, int algorithm)
{
    running run;
    status s = begin_run(core, algorithm, &run);
    core->verdict.sentence[0] = '\0';
    s = s == STATUS_OK ? run_all(&run) : s;
    return s;
}

double browser_composite_seconds(browser_core *core, int algorithm)
{
    running run;
    simulate_simulator *simulator = NULL;
    simulate_result result = {0};
    status s = begin_run(core, algorithm, &run);
    s = s == STATUS_OK ? simulate(&run, false, &simulator, &result) : s;
    simulate_destroy(&simulator);
    return s == STATUS_OK ? result.seconds : -1;
}

/* ---- Changed schedules ------------------------------------------------------------- */

static status check_nothing(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

/* Yields the ops that the tables have. */
static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    const given_problem *given = (const given_problem *)(const void *)problem;
    (void)params;
    int stopped = 0;
    for (int i = (int)given->begin[position];
         i < (int)given->begin[position + 1] && !stopped; i++) {
        const double *from = given->ops + (int64_t)BROWSER_OP_NUMBERS * i;
        const composite_op op = {.round = (int)from[0],
                                 .src = (int)from[1],
                                 .dst = (int)from[2],
                                 .run0 = (int)from[4],
                                 .run1 = (int)from[5],
                                 .pix0 = (int64_t)from[6],
                                 .npix = (int64_t)from[7]};
        stopped = visit(&op, context);
    }
    return stopped;
}

static const composite_algorithm changed = {
    .name = "this page", .check_params = check_nothing, .generate = generate};

status browser_composite_check(browser_core *core)
{
    given_problem given = {.problem = {.size = number_of(core, BROWSER_SIZE),
                                       .pixels = (int64_t)core->input[BROWSER_COUNT],
                                       .op = core->input[BROWSER_NEAREST] > 0
                                                 ? COMPOSITE_NEAREST
                                                 : COMPOSITE_OVER,
                                       .root = number_of(core, BROWSER_ROOT)},
                           .ops = browser_numbers(core, BROWSER_OPS),
                           .begin = browser_numbers(core, BROWSER_BEGIN)};
    const composite_params none = {0};
    status s = browser_check_input(core);
    s = s == STATUS_OK ? composite_schedule_check(&changed, &given.problem, &none, NULL)
                       : s;
    snprintf(core->verdict.sentence, sizeof core->verdict.sentence, "%s",
             s == STATUS_OK ? "" : base_fail_message());
    return s == STATUS_MEMORY ? s : STATUS_OK;
}
