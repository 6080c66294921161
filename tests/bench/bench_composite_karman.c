/* The benchmark's side of karman: the executor with every algorithm. */
#include "bench_composite.h"

#include "frame/tuning/tuning.h"
#include "render/view/finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_PIXEL = 3 };

/* An executor and its image for one frame. */
typedef struct karman_side {
    const bench_frame *frame;
    composite_executor *executor;
    image *img;
    image *own; /* img where it is not the executor's */
    composite_result result;
    composite_rules rules[COMPOSITE_TARGETS]; /* for "tuned" */
} karman_side;

static void close_side(void *state)
{
    karman_side *side = state;
    composite_executor_destroy(&side->executor);
    image_destroy(&side->own);
    for (int target = 0; target < COMPOSITE_TARGETS; target++) {
        free(side->rules[target].rules);
    }
    free(side);
}

static status make_image(karman_side *side, bool is_private)
{
    bench_shape shape = side->frame->shape;
    bool with_depth = shape.op == COMPOSITE_NEAREST;
    if (!is_private) {
        return composite_executor_image(side->executor, shape.side, shape.side,
                                        with_depth, &side->img);
    }
    status s = image_create(shape.side, shape.side, with_depth, &side->own);
    side->img = side->own;
    return s;
}

/* Collective. */
static status load_rules(karman_side *side, const char *tuning)
{
    const int width = side->frame->shape.side;
    status s = STATUS_OK;
    for (int target = 0; target < COMPOSITE_TARGETS && s == STATUS_OK; target++) {
        const frame_tuning_pictures pictures = {width, width, (composite_target)target};
        s = frame_tuning_load(side->frame->comm, tuning, &pictures, &side->rules[target]);
    }
    return s;
}

static status open_side(const bench_frame *frame, const bench_settings *settings,
                        void **state, image **img)
{
    karman_side *side = calloc(1, sizeof *side);
    if (!side) {
        return base_fail_memory(sizeof *side, "the benchmark");
    }
    side->frame = frame;
    status s = composite_executor_create(frame->comm, &side->executor);
    if (s == STATUS_OK) {
        composite_executor_set_threads(side->executor, settings->threads);
        s = make_image(side, settings->private_images);
    }
    if (s == STATUS_OK && settings->tuning) {
        s = load_rules(side, settings->tuning);
    }
    if (s != STATUS_OK) {
        close_side(side);
        return s;
    }
    *state = side;
    *img = side->img;
    return STATUS_OK;
}

static void to_bytes(const void *context, int64_t count, const float *rgba,
                     unsigned char *bytes)
{
    render_finish_rgb8(count, rgba, context, bytes);
}

static void let_arrive(void *executor)
{
    composite_poll(executor);
}

static status composite(void *state, const bench_candidate *candidate,
                        composite_counters *counters)
{
    karman_side *side = state;
    composite_request request = {
        .algorithm = candidate->algorithm,
        .params = candidate->params,
        .by_nodes = candidate->by_nodes,
        .segment = candidate->segment,
        .encoding = candidate->is_raw ? COMPOSITE_ENCODING_RAW : COMPOSITE_ENCODING_AUTO,
        .rules = candidate->is_tuned ? &side->rules[candidate->target] : NULL,
        .adapts = !candidate->algorithm,
        .op = side->frame->shape.op,
        .order = side->frame->order,
        .target = candidate->target,
        .format = {.bytes_per_pixel = BYTES_PER_PIXEL,
                   .convert = to_bytes,
                   .context = bench_background}};
    status s = composite_begin(side->executor, &request, side->img, side->img->active,
                               STATUS_OK);
    if (s == STATUS_OK) {
        bench_frame_be_late(side->frame, let_arrive, side->executor);
        s = composite_finish(side->executor, STATUS_OK, &side->result);
    }
    *counters = side->result.counters;
    return s;
}

static bool check_pieces(const karman_side *side, const char *what, int64_t *pixels)
{
    bool right = true;
    for (int n = 0; n < side->result.npieces && right; n++) {
        composite_piece piece = side->result.pieces[n];
        right = bench_frame_check_floats(side->frame, what, piece.pix0, piece.npix,
                                         side->img->rgba + 4 * piece.pix0);
        *pixels += piece.npix;
    }
    return right;
}

static bool check(void *state, const bench_candidate *candidate, int64_t *pixels)
{
    karman_side *side = state;
    const char *what = candidate->name;
    *pixels = 0;
    if (candidate->target == COMPOSITE_PIECES) {
        return check_pieces(side, what, pixels);
    }
    if (side->frame->rank != 0) {
        return true;
    }
    *pixels = image_pixel_count(side->img);
    return candidate->target == COMPOSITE_FLOATS
               ? bench_frame_check_floats(side->frame, what, 0, *pixels, side->img->rgba)
               : bench_frame_check_bytes(side->frame, what, side->result.bytes);
}

const bench_library bench_karman = {.name = "karman",
                                    .open = open_side,
                                    .composite = composite,
                                    .check = check,
                                    .close = close_side};

/* ---- Names of algorithms ----------------------------------------------------------- */

/* Where the numbers after an algorithm's name go: the locality and then the fan of a
 * TOD-tree, the fan of a tree, the owners of a chain, the factors of all others. */
static status take_number(const char *text, int count, int value, bench_candidate *out)
{
    composite_params *params = &out->params;
    bool is_tod_tree = strcmp(out->algorithm->name, "tod-tree") == 0;
    bool is_tree = strcmp(out->algorithm->name, "tree") == 0;
    bool is_chain = strcmp(out->algorithm->name, "chain") == 0;
    int most = is_tod_tree ? 2 : is_tree || is_chain ? 1 : COMPOSITE_MAX_FACTORS;
    if (count >= most) {
        return base_fail(STATUS_USAGE, "%s has too many numbers: give at most %d", text,
                         most);
    }
    if (is_chain || (is_tod_tree && count == 0)) {
        params->group = value;
    } else if (is_tod_tree || is_tree) {
        params->fan_in = value;
    } else {
        params->factors[params->nfactors++] = value;
    }
    return STATUS_OK;
}

static status parse_numbers(const char *text, const char *numbers, bench_candidate *out)
{
    const char *at = numbers;
    for (int count = 0;; count++) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || value < 1 || value > 1 << 20) {
            return base_fail(STATUS_USAGE,
                             "'%s' must be the name of an algorithm, or a name, a colon "
                             "and whole numbers with commas between, like radix-k:4,4",
                             text);
        }
        status s = take_number(text, count, (int)value, out);
        if (s != STATUS_OK || !*end) {
            return s;
        }
        at = end + 1;
    }
}

/* Takes the segment off the end of a spec. Returns false if it is none. */
static bool take_segment(char *spec, int *segment)
{
    char *at = strchr(spec, '@'), *end = NULL;
    if (!at) {
        return true;
    }
    const long value = strtol(at + 1, &end, 10);
    *at = '\0';
    *segment = (int)value;
    return end != at + 1 && !*end && value >= COMPOSITE_LEAST_SEGMENT &&
           value <= COMPOSITE_MOST_SEGMENT;
}

/* Takes the encoding off the end of a spec. Returns whether it is raw. */
static bool take_raw(char *spec)
{
    char *at = strstr(spec, "+raw");
    const bool is_raw = at && !at[4];
    if (is_raw) {
        *at = '\0';
    }
    return is_raw;
}

status bench_karman_candidate(const char *text, bench_candidate *out)
{
    static const char by_nodes[] = "nodes/";
    bench_candidate candidate = {.library = &bench_karman};
    char spec[sizeof candidate.name];
    snprintf(spec, sizeof spec, "%s", text);
    candidate.is_raw = take_raw(spec);
    if (!take_segment(spec, &candidate.segment)) {
        return base_fail(STATUS_USAGE, "'%s' needs a segment of %d to %d pixels after @",
                         text, COMPOSITE_LEAST_SEGMENT, COMPOSITE_MOST_SEGMENT);
    }
    candidate.is_tuned = strcmp(spec, "tuned") == 0;
    const bool is_auto = candidate.is_tuned || strcmp(spec, "auto") == 0;
    const bool is_by_nodes = strncmp(spec, by_nodes, sizeof by_nodes - 1) == 0;
    char *name = is_by_nodes ? spec + sizeof by_nodes - 1 : spec;
    char *numbers = strchr(name, ':');
    if (numbers) {
        *numbers++ = '\0';
    }
    candidate.by_nodes = is_auto || is_by_nodes;
    candidate.algorithm = composite_algorithm_find(name);
    if (!candidate.algorithm && !is_auto) {
        return base_fail(STATUS_USAGE,
                         "there is no algorithm '%s': --list names all that there are",
                         name);
    }
    snprintf(candidate.name, sizeof candidate.name, "%s", text);
    status s = numbers ? parse_numbers(text, numbers, &candidate) : STATUS_OK;
    if (s == STATUS_OK) {
        *out = candidate;
    }
    return s;
}
