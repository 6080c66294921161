#include "given.h"

#include "base/array.h"
#include "options.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 1 << 20 };

/* A message as one of its positions sees it. */
typedef struct entry {
    composite_op op;
    int position;
    int64_t number; /* of the entry in the file */
} entry;

/* The file that was read last. Algorithms have no context, so it stands here. */
static struct {
    entry *items; /* [count]: by position, then as that position yields them */
    int64_t count;
    int last, gathering; /* rounds: the last one, and that after it, which gathers the
                            picture */
    int most_round;      /* that is yielded */
} file;

static composite_algorithm given;

/* ---- The algorithm ----------------------------------------------------------------- */

static status check_params(const composite_problem *problem,
                           const composite_params *params)
{
    (void)problem;
    return params->nfactors || params->group || params->fan_in
               ? base_fail(STATUS_USAGE, "the schedule of a file has no parameters")
               : STATUS_OK;
}

static int generate(const composite_problem *problem, const composite_params *params,
                    int position, composite_visit *visit, void *context)
{
    int64_t at = 0;
    int ended = 0;
    (void)problem;
    (void)params;
    for (int64_t end = file.count; at < end;) {
        const int64_t middle = at + (end - at) / 2;
        if (file.items[middle].position < position) {
            at = middle + 1;
        } else {
            end = middle;
        }
    }
    for (; at < file.count && file.items[at].position == position && !ended; at++) {
        const composite_op *op = &file.items[at].op;
        ended = op->round <= file.most_round ? visit(op, context) : 0;
    }
    return ended;
}

/* -1 for what the position sends, then messages from the inside out. */
static int distance(const entry *of)
{
    const composite_op *op = &of->op;
    return op->src == of->position    ? -1
           : op->run1 <= of->position ? of->position - op->run1
           : op->run0 > of->position  ? op->run0 - of->position - 1
                                      : 0;
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    const int first = distance(a), second = distance(b);
    return a->position != b->position   ? (a->position > b->position ? 1 : -1)
           : a->op.round != b->op.round ? (a->op.round > b->op.round ? 1 : -1)
           : first != second            ? (first > second ? 1 : -1)
                             : (a->number > b->number) - (a->number < b->number);
}

/* ---- Reading ----------------------------------------------------------------------- */

static status add_message(const composite_op *op)
{
    static const char what[] = "the messages of a file";
    const entry sent = {*op, op->src, file.count}, received = {*op, op->dst, file.count};
    const status s = base_array_add(file.items, file.count, sent, what);
    return s == STATUS_OK ? base_array_add(file.items, file.count, received, what) : s;
}

/* where: with a colon, or empty. ours: the reason if jansson has none. */
static status fail(const char *where, const json_error_t *error, const char *ours)
{
    return base_fail(STATUS_INPUT, "%s cannot be read as a schedule: %s%s", given.name,
                     where, error->text[0] ? error->text : ours);
}

static status read_messages(const composite_problem *problem, int round,
                            const json_t *messages)
{
    const int size = problem->size;
    status s = STATUS_OK;
    for (size_t n = 0; n < json_array_size(messages) && s == STATUS_OK; n++) {
        json_int_t src, dst, pixels[2], run[2];
        json_error_t error;
        if (json_unpack_ex(json_array_get(messages, n), &error, 0,
                           "{s:I, s:I, s:[I, I!], s:[I, I!]}", "src", &src, "dst", &dst,
                           "pixels", &pixels[0], &pixels[1], "run", &run[0],
                           &run[1]) != 0 ||
            src < 0 || src >= size || dst < 0 || dst >= size || run[0] < 0 ||
            run[0] > size || run[1] < 0 || run[1] > size || pixels[0] < 0 ||
            pixels[1] < 0) {
            char where[64];
            snprintf(where, sizeof where, "round %d, message %zu: ", round, n);
            return fail(where, &error,
                        "its positions or pixels are outside of the problem");
        }
        s = add_message(&(composite_op){.round = round,
                                        .src = (int)src,
                                        .dst = (int)dst,
                                        .run0 = (int)run[0],
                                        .run1 = (int)run[1],
                                        .pix0 = pixels[0],
                                        .npix = pixels[1] - pixels[0]});
    }
    return s;
}

static status read_rounds(const composite_problem *problem, const json_t *rounds)
{
    status s = STATUS_OK;
    file.last = -1;
    for (size_t n = 0; n < json_array_size(rounds) && s == STATUS_OK; n++) {
        json_int_t number;
        json_t *messages;
        json_error_t error;
        if (json_unpack_ex(json_array_get(rounds, n), &error, 0, "{s:I, s:o}", "round",
                           &number, "messages", &messages) != 0 ||
            number <= file.last || number > MOST_ROUNDS || !json_is_array(messages)) {
            return fail("rounds: ", &error,
                        "a number does not ascend, or there is no array of messages");
        }
        file.last = (int)number;
        s = read_messages(problem, file.last, messages);
    }
    return s;
}

static status read_schedule(json_t *all, composite_problem *problem)
{
    json_int_t ranks, pixels, root = 0, bytes = -1;
    const char *op = "over";
    json_t *rounds, *gather = NULL;
    json_error_t error;
    const int failed =
        json_unpack_ex(all, &error, 0, "{s:I, s:I, s?I, s?I, s?s, s:o, s?o}", "ranks",
                       &ranks, "pixels", &pixels, "root", &root, "gather_bytes", &bytes,
                       "operator", &op, "rounds", &rounds, "gather", &gather);
    const bool is_nearest = !failed && strcmp(op, "nearest") == 0;
    if (failed || ranks < 1 || ranks > APP_MOST_RANKS || pixels < 1 || root < 0 ||
        root >= ranks || bytes > COMPOSITE_PIXEL_BYTES ||
        !(is_nearest || strcmp(op, "over") == 0) || !json_is_array(rounds) ||
        (gather && !json_is_array(gather)) ||
        (bytes == 0 && json_array_size(gather) > 0)) {
        return fail("", &error,
                    "ranks, pixels, root, operator, gather_bytes, rounds and gather have "
                    "to be as 'karman schedule --format json' writes them");
    }
    *problem = (composite_problem){.size = (int)ranks,
                                   .pixels = pixels,
                                   .op = is_nearest ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                                   .root = (int)root,
                                   .gather_bytes = bytes >= 0 ? (int)bytes
                                                   : json_array_size(gather) > 0 ? 3
                                                                                 : 0};
    const status s = read_rounds(problem, rounds);
    file.gathering = file.last + 1;
    return s == STATUS_OK ? read_messages(problem, file.gathering, gather) : s;
}

static status read_file(composite_problem *problem)
{
    json_error_t error;
    json_t *all = json_load_file(given.name, 0, &error);
    if (!all) {
        char where[32];
        snprintf(where, sizeof where, "line %d: ", error.line);
        return fail(error.line > 0 ? where : "", &error, "");
    }
    const status s = read_schedule(all, problem);
    json_decref(all);
    if (s == STATUS_OK && file.count > 0) {
        qsort(file.items, (size_t)file.count, sizeof *file.items, compare_entries);
    }
    return s;
}

/* ---- The proof --------------------------------------------------------------------- */

static int note_piece(const composite_op *piece, void *context)
{
    *(composite_op *)context = *piece;
    return 1;
}

/* The gathering is one more round of whole runs, after which only the root holds any. */
static status prove(const messages_schedule *of, composite_schedule_summary *summary)
{
    const composite_problem *problem = &of->problem;
    composite_op left = {0};
    file.most_round = file.gathering;
    status s = composite_schedule_check(&given, problem, &of->params, NULL);
    for (int q = 0; q < problem->size && s == STATUS_OK && left.npix == 0; q++) {
        s = composite_finished_visit(&given, problem, &of->params, q, note_piece, &left);
    }
    if (s == STATUS_OK && left.npix > 0) {
        s = base_fail(STATUS_INTERNAL,
                      "the schedule of %s is wrong: after its gathering, position %d "
                      "still has the pixels [%lld, %lld)",
                      given.name, left.src, (long long)left.pix0,
                      (long long)(left.pix0 + left.npix));
    }
    file.most_round = file.last;
    return s == STATUS_OK ? composite_schedule_summarize(&given, problem, &of->params,
                                                         INT64_MAX, summary)
                          : s;
}

status messages_given_prove(const char *path, messages_schedule *schedule,
                            composite_schedule_summary *summary)
{
    given = (composite_algorithm){.name = path,
                                  .source = "a file",
                                  .check_params = check_params,
                                  .generate = generate};
    file.count = 0;
    schedule->algorithm = &given;
    status s = read_file(&schedule->problem);
    s = s == STATUS_OK ? prove(schedule, summary) : s;
    free(file.items);
    file.items = NULL;
    return s;
}
