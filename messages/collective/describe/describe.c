#include "describe.h"

#include "messages/schedule/options.h"
#include "numbers.h"

#include <inttypes.h>
#include <stdio.h>

static status fail_memory(void)
{
    return base_fail(STATUS_MEMORY,
                     "there is no memory for the schedule of a collective");
}

/* ---- Runs -------------------------------------------------------------------------- */

static status run_algorithm(collective_walker *walker, const collectives_problem *problem,
                            const collective_algorithm *algorithm, collectives_run *run)
{
    const collective_problem own = collectives_problem_of(problem, algorithm);
    run->algorithm = algorithm;
    if (collective_schedule_collect(algorithm, &own, &run->schedule) != STATUS_OK) {
        return fail_memory();
    }
    run->totals = collective_count(&run->schedule);
    run->cost = collective_cost_of(algorithm, &own);
    return collective_walk(walker, &run->schedule, &problem->machine, problem->late,
                           &run->times);
}

/* ---- Heads ------------------------------------------------------------------------- */

static void print_nodes(const collectives_problem *problem)
{
    const collective_machine *machine = &problem->machine;
    char ranks[256], alpha[NUMBERS_TIME], beta[NUMBERS_TIME];
    if (!machine->nodes) {
        return;
    }
    messages_options_print_nodes(machine->nodes, sizeof ranks, ranks);
    numbers_time(machine->near_alpha, alpha);
    numbers_time(machine->near_beta, beta);
    printf("nodes     of %s ranks, which share its ports; α′ = %s a message within a "
           "node, β′ = %s an element\n",
           ranks, alpha, beta);
}

static void print_problem(const collectives_problem *problem)
{
    const collective_problem *own = &problem->problem;
    const collective_machine *machine = &problem->machine;
    char alpha[NUMBERS_TIME], beta[NUMBERS_TIME], gamma[NUMBERS_TIME];
    numbers_time(machine->alpha, alpha);
    numbers_time(machine->beta, beta);
    numbers_time(machine->gamma, gamma);
    printf("problem   p = %d ranks, n = %" PRId64 " element%s", own->size, own->count,
           own->count == 1 ? "" : "s");
    if (!problem->operation || problem->operation->has_root) {
        printf(", root %d", own->root);
    }
    if (own->segment > 0) {
        printf(", segments of %" PRId64, own->segment);
    }
    printf("\nmachine   α = %s a message, β = %s an element, γ = %s to combine one; %d "
           "port%s\n",
           alpha, beta, gamma, machine->ports, machine->ports == 1 ? "" : "s");
    print_nodes(problem);
    for (int rank = 0; rank < own->size; rank++) {
        if (problem->late[rank] > 0) {
            numbers_time(problem->late[rank], alpha);
            printf("late      rank %d by %s\n", rank, alpha);
        }
    }
}

static const char *order_name(collective_order order)
{
    switch (order) {
    case COLLECTIVE_ORDER_ALWAYS:
        return "operands are combined in the order of ranks";
    case COLLECTIVE_ORDER_ROOT_0:
        return "operands are combined in the order of ranks if the root is rank 0";
    default:
        return "operands are combined in another order than that of ranks";
    }
}

/* ---- Tables ------------------------------------------------------------------------ */

enum { NAME_COLUMNS = 19, FORMULA_COLUMNS = 36, COST_COLUMNS = 22 };

static void print_row(const collectives_problem *problem, const collectives_run *run)
{
    char cost[NUMBERS_COST], formula[NUMBERS_TIME], walk[NUMBERS_TIME];
    numbers_cost(run->cost, cost);
    numbers_time(numbers_seconds(run->cost, &problem->machine), formula);
    numbers_time(run->times.seconds, walk);
    printf("  ");
    numbers_print(run->algorithm->name, NAME_COLUMNS);
    numbers_print(run->algorithm->formula, FORMULA_COLUMNS);
    numbers_print(cost, COST_COLUMNS);
    printf("%10s  %10s\n", formula, walk);
}

static void print_titles(void)
{
    printf("  ");
    numbers_print("algorithm", NAME_COLUMNS);
    numbers_print("formula", FORMULA_COLUMNS);
    numbers_print("with numbers", COST_COLUMNS);
    printf("%10s  %10s\n", "formula", "walk");
}

static void print_operation(const collective_operation *operation)
{
    printf("\n%s: %s\n", operation->name, operation->summary);
}

enum { MOST_ROWS = 64 };

/* The algorithms that were shown. */
typedef struct shown {
    const collective_algorithm *algorithm[MOST_ROWS];
    collective_cost cost[MOST_ROWS];
    double seconds[MOST_ROWS];
    int count;
} shown;

static void remember(shown *all, const collectives_run *run)
{
    if (all->count < MOST_ROWS) {
        all->algorithm[all->count] = run->algorithm;
        all->cost[all->count] = run->cost;
        all->seconds[all->count++] = run->times.seconds;
    }
}

/* The ratios of alpha and beta at which others cost the same as the fastest one. */
static void print_equal(const shown *all)
{
    int best = 0;
    for (int i = 1; i < all->count; i++) {
        best = all->seconds[i] < all->seconds[best] ? i : best;
    }
    const char *before = "\n";
    for (int i = 0; i < all->count; i++) {
        char ratio[NUMBERS_TIME];
        if (i != best && numbers_crossover(all->cost[best], all->cost[i], ratio)) {
            printf("%s%s = %s where α = %s β\n", before, all->algorithm[best]->name,
                   all->algorithm[i]->name, ratio);
            before = "";
        }
    }
}

/* A line for each count from which another algorithm is the fastest. */
static void print_ranges(const collective_range_of_counts *ranges, int count)
{
    printf("\nfastest, if nobody is late:\n");
    for (int i = 0; i < count; i++) {
        char from[64];
        snprintf(from, sizeof from, "from n = %" PRId64, ranges[i].count);
        printf("  ");
        numbers_print(from, NAME_COLUMNS);
        printf("%s\n", ranges[i].algorithm->name);
    }
}

static json_t *json_ranges(const collective_range_of_counts *ranges, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:I, s:s}", "count",
                                              (json_int_t)ranges[i].count, "algorithm",
                                              ranges[i].algorithm->name));
    }
    return list;
}

/* The counts at which the algorithms of the operation cross. */
static status show_crossovers(collective_walker *walker,
                              const collectives_problem *problem, json_t *object)
{
    collective_range_of_counts ranges[COLLECTIVE_MOST_CROSSOVERS];
    int count;
    status s = collective_crossovers(walker, problem->operation, &problem->problem,
                                     &problem->machine, ranges, &count);
    if (s == STATUS_OK && problem->json) {
        s = json_object_set_new(object, "fastest", json_ranges(ranges, count))
                ? fail_memory()
                : STATUS_OK;
    } else if (s == STATUS_OK) {
        print_ranges(ranges, count);
    }
    return s;
}

/* Prints rows, or appends objects to `list`. */
static status show_rows(collective_walker *walker, const collectives_problem *problem,
                        json_t *list, shown *all)
{
    const collective_algorithm *algorithm;
    const collective_operation *operation = NULL;
    collectives_run run = {0};
    status s = STATUS_OK;
    for (int n = 0; (algorithm = collectives_at(problem, n)) && s == STATUS_OK; n++) {
        s = run_algorithm(walker, problem, algorithm, &run);
        if (s != STATUS_OK) {
            break;
        }
        if (!problem->json && algorithm->operation != operation) {
            operation = algorithm->operation;
            print_operation(operation);
            print_titles();
        }
        if (problem->json) {
            s = json_array_append_new(list, collectives_json_run(problem, &run, false))
                    ? fail_memory()
                    : STATUS_OK;
        } else {
            print_row(problem, &run);
        }
        remember(all, &run);
    }
    collective_schedule_clear(&run.schedule);
    return s;
}

static status show_table(collective_walker *walker, const collectives_problem *problem)
{
    shown all = {0};
    json_t *object = NULL, *list = NULL;
    if (problem->json) {
        object = collectives_json_problem(problem);
        list = json_array();
        json_object_set_new(object, "algorithms", list);
    } else {
        print_problem(problem);
    }
    status s = show_rows(walker, problem, list, &all);
    if (s == STATUS_OK && problem->operation) {
        if (!problem->json) {
            print_equal(&all);
        }
        s = show_crossovers(walker, problem, object);
    }
    if (s != STATUS_OK) {
        json_decref(object);
        return s;
    }
    return problem->json ? collectives_json_print(object) : STATUS_OK;
}

/* ---- One algorithm ------------------------------------------------------------------
 */

static void print_costs(const collectives_problem *problem, const collectives_run *run)
{
    char cost[NUMBERS_COST], time[NUMBERS_TIME];
    numbers_cost(run->cost, cost);
    numbers_time(numbers_seconds(run->cost, &problem->machine), time);
    printf("formula   %s = %s = %s\n", run->algorithm->formula, cost, time);
    const double explained = numbers_walk_seconds(&run->times, &problem->machine);
    const double waits = run->times.seconds - run->times.begin - explained;
    numbers_walk(&run->times, cost);
    printf("walk      %s", cost);
    if (run->times.begin > 0) {
        numbers_time(run->times.begin, time);
        printf(" from %s on", time);
    }
    if (waits > 1e-9 * run->times.seconds) {
        numbers_time(waits, time);
        printf(" and %s for other messages at a port", time);
    }
    numbers_time(run->times.seconds, time);
    printf(" = %s\n", time);
}

/* The last message of the path, from number `i` on, that has the same ends. */
static int64_t find_repeats(const collectives_run *run, int64_t i)
{
    const collective_times *times = &run->times;
    const collective_message *m = &times->messages[times->path[i]];
    while (i + 1 < times->npath) {
        const collective_message *next = &times->messages[times->path[i + 1]];
        if (next->src != m->src || next->dst != m->dst) {
            break;
        }
        i++;
    }
    return i;
}

static void print_path(const collectives_run *run)
{
    printf("path     ");
    for (int64_t i = 0; i < run->times.npath; i++) {
        const collective_message *m = &run->times.messages[run->times.path[i]];
        const int64_t first = i;
        i = find_repeats(run, i);
        if (m->src == m->dst) {
            printf(" %d", m->src);
        } else {
            printf(" %d -> %d", m->src, m->dst);
        }
        if (i > first) {
            printf(" (%" PRId64 " times)", i - first + 1);
        }
        printf("%s", i + 1 < run->times.npath ? "," : "");
    }
    printf("%s\n", run->times.npath == 0 ? " none" : "");
}

static void print_head(const collectives_problem *problem, const collectives_run *run)
{
    const collective_algorithm *algorithm = run->algorithm;
    const collective_totals *totals = &run->totals;
    printf("%s %s: %s\n", algorithm->operation->name, algorithm->name,
           algorithm->summary);
    printf("source    %s\n", algorithm->source);
    print_problem(problem);
    if (algorithm->order != COLLECTIVE_ORDER_NONE) {
        printf("order     %s\n", order_name(algorithm->order));
    }
    printf("rounds    %d\nmessages  %" PRId64 "\nelements  %" PRId64
           " sent; one rank sends at most %" PRId64 " and receives at most %" PRId64 "\n",
           totals->rounds, totals->messages, totals->elements, totals->most_sent,
           totals->most_received);
    print_costs(problem, run);
    print_path(run);
}

/* The pieces of a message: "copy [0, 4)", "move 3: [0, 4)" of vector 3. */
static void print_pieces(const collectives_run *run, const collective_message *message)
{
    const collective_schedule *schedule = &run->schedule;
    const char *comma = "";
    for (int64_t i = schedule->begin[message->src]; i < schedule->begin[message->src + 1];
         i++) {
        const collective_op *op = &schedule->ops[i];
        if (op->src != message->src || op->dst != message->dst ||
            op->round != message->round) {
            continue;
        }
        printf("%s %s", comma, collective_kind_name(op->kind));
        if (run->algorithm->operation->has_vectors) {
            printf(" %d's", op->from);
        }
        if (op->count > 0) {
            printf(" [%" PRId64 ", %" PRId64 ")", op->first, op->first + op->count);
        }
        comma = ",";
    }
}

static void print_message(const collectives_run *run, const collective_message *message)
{
    char begin[NUMBERS_TIME], end[NUMBERS_TIME], ends[16];
    const bool is_local = message->src == message->dst;
    snprintf(ends, sizeof ends, is_local ? "%d" : "%d -> %d", message->src, message->dst);
    numbers_time(is_local ? message->combines : message->sent, begin);
    numbers_time(message->done, end);
    printf("%s %-9s %9s to %9s ", message->is_critical ? "*" : " ", ends, begin, end);
    print_pieces(run, message);
    printf("\n");
}

/* All messages by rounds; those of the critical path have a star. */
static void print_messages(const collectives_run *run)
{
    int round = -1;
    for (int64_t i = 0; i < run->times.count; i++) {
        const collective_message *message = &run->times.messages[i];
        if (message->round != round) {
            round = message->round;
            printf("\nround %d:\n", round);
        }
        print_message(run, message);
    }
}

static status show_algorithm(collective_walker *walker,
                             const collectives_problem *problem)
{
    collectives_run run = {0};
    status s = run_algorithm(walker, problem, problem->algorithm, &run);
    if (s == STATUS_OK && problem->json) {
        json_t *object = collectives_json_problem(problem);
        json_t *all = collectives_json_run(problem, &run, true);
        json_object_update(object, all);
        json_decref(all);
        s = collectives_json_print(object);
    } else if (s == STATUS_OK) {
        print_head(problem, &run);
        print_messages(&run);
    }
    collective_schedule_clear(&run.schedule);
    return s;
}

status collectives_describe(const collectives_problem *problem)
{
    collective_walker *walker = NULL;
    status s = collective_walker_create(&walker);
    if (s == STATUS_OK) {
        s = problem->algorithm ? show_algorithm(walker, problem)
                               : show_table(walker, problem);
    }
    collective_walker_destroy(&walker);
    return s;
}

/* ---- Proofs ------------------------------------------------------------------------ */

static status prove(const collectives_problem *problem,
                    const collective_algorithm *algorithm, collective_schedule *schedule,
                    collective_verdict *verdict)
{
    const collective_problem own = collectives_problem_of(problem, algorithm);
    status s = collective_schedule_collect(algorithm, &own, schedule);
    s = s == STATUS_OK ? collective_check(algorithm, schedule, verdict) : s;
    if (s != STATUS_OK) {
        return fail_memory();
    }
    return verdict->is_right
               ? STATUS_OK
               : base_fail(STATUS_INTERNAL, "the schedule of %s %s is wrong: %s",
                           algorithm->operation->name, algorithm->name,
                           verdict->sentence);
}

static void print_proof(const collective_algorithm *algorithm,
                        const collective_schedule *schedule,
                        const collective_verdict *verdict)
{
    const collective_totals totals = collective_count(schedule);
    printf("%s %s, %d rank%s: right: %d round%s, %" PRId64 " message%s, %" PRId64
           " element%s sent%s\n",
           algorithm->operation->name, algorithm->name, schedule->problem.size,
           schedule->problem.size == 1 ? "" : "s", totals.rounds,
           totals.rounds == 1 ? "" : "s", totals.messages,
           totals.messages == 1 ? "" : "s", totals.elements,
           totals.elements == 1 ? "" : "s",
           verdict->in_order ? ", combined in the order of ranks" : "");
}

static json_t *json_proof(const collective_algorithm *algorithm,
                          const collective_schedule *schedule,
                          const collective_verdict *verdict)
{
    const collective_totals totals = collective_count(schedule);
    return json_pack("{s:s, s:s, s:b, s:b, s:i, s:I, s:I}", "collective",
                     algorithm->operation->name, "algorithm", algorithm->name, "right", 1,
                     "in_order", verdict->in_order, "rounds", totals.rounds, "messages",
                     (json_int_t)totals.messages, "elements",
                     (json_int_t)totals.elements);
}

status collectives_prove(const collectives_problem *problem)
{
    const collective_algorithm *algorithm;
    collective_schedule schedule = {0};
    json_t *list = problem->json ? json_array() : NULL;
    status s = STATUS_OK;
    for (int n = 0; (algorithm = collectives_at(problem, n)) && s == STATUS_OK; n++) {
        collective_verdict verdict;
        s = prove(problem, algorithm, &schedule, &verdict);
        if (s == STATUS_OK && problem->json) {
            s = json_array_append_new(list, json_proof(algorithm, &schedule, &verdict))
                    ? fail_memory()
                    : STATUS_OK;
        } else if (s == STATUS_OK) {
            print_proof(algorithm, &schedule, &verdict);
        }
    }
    collective_schedule_clear(&schedule);
    if (s != STATUS_OK) {
        json_decref(list);
        return s;
    }
    return problem->json ? collectives_json_print(list) : STATUS_OK;
}
