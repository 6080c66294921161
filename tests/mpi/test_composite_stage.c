/* Executors, the images that they work on, and their expected results. */
#include "test_composite.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stages ------------------------------------------------------------------------ */

void test_stage_open(test_stage *stage, int node_size)
{
    *stage = (test_stage){.rank = parallel_rank(MPI_COMM_WORLD),
                          .size = parallel_size(MPI_COMM_WORLD),
                          .node_size = node_size,
                          .segment = COMPOSITE_SEGMENT,
                          .threads = 1};
    parallel_test_node_size = abs(node_size);
    parallel_test_node_dealt = node_size < 0;
    const status s = composite_executor_create(MPI_COMM_WORLD, &stage->executor);
    parallel_test_node_size = 0;
    parallel_test_node_dealt = false;
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        abort();
    }
}

void test_stage_close(test_stage *stage)
{
    composite_executor_destroy(&stage->executor);
    image_destroy(&stage->ordinary);
}

void test_stage_set(test_stage *stage, int segment, int threads)
{
    stage->segment = segment;
    stage->threads = threads;
    composite_executor_limit_messages(stage->executor, segment);
    composite_executor_set_threads(stage->executor, threads);
}

int test_node_sizes(int ranks, int *sizes)
{
    int count = 0;
    sizes[count++] = 0;
    for (int n = 1; n <= 3 && n < ranks; n++) {
        sizes[count++] = n;
    }
    return count;
}

static bool fits(const image *img, const test_frame *frame)
{
    return img && img->width == frame->width && img->height == frame->height &&
           (img->depth != NULL) == frame->with_depth;
}

static bool is_own(const test_stage *stage, const test_case *c)
{
    const uint32_t ranks = c->picture->frame.seed + (uint32_t)stage->rank;
    return c->memory == TEST_OWN || (c->memory == TEST_MIXED && ranks % 2 == 1);
}

image *test_provide(test_stage *stage, const test_case *c)
{
    const test_frame *frame = &c->picture->frame;
    status s = STATUS_OK;
    if (c->memory != TEST_ORDINARY && !fits(stage->own, frame)) {
        s = composite_executor_image(stage->executor, frame->width, frame->height,
                                     frame->with_depth, &stage->own);
    }
    if (!is_own(stage, c) && !fits(stage->ordinary, frame)) {
        image_destroy(&stage->ordinary);
        s = image_create(frame->width, frame->height, frame->with_depth,
                         &stage->ordinary);
    }
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        abort();
    }
    return is_own(stage, c) ? stage->own : stage->ordinary;
}

/* Copies pixels of a rectangle. */
static void copy_rect(const image *from, pixel_rect r, image *to)
{
    for (int y = r.y0; y < r.y1 && r.x0 < r.x1; y++) {
        const int64_t here = image_at(from, r.x0, y), there = image_at(to, r.x0, y);
        const size_t count = (size_t)(r.x1 - r.x0);
        memcpy(to->rgba + 4 * there, from->rgba + 4 * here, count * 4 * sizeof(float));
        if (to->depth) {
            memcpy(to->depth + there, from->depth + here, count * sizeof(float));
        }
    }
}

/* Crops an image on some ranks, as closely as possible or not. */
static void crop(const test_stage *stage, const test_case *c, image *img)
{
    const uint32_t choice = (c->picture->frame.seed / 2 + (uint32_t)stage->rank) % 3;
    pixel_rect r = c->picture->drawn->active;
    if (choice == 1 && !pixel_rect_is_empty(r)) {
        pixel_rect_grow(&r, (pixel_rect){r.x0 / 2, r.y0 / 2, (img->width + r.x1) / 2,
                                         (img->height + r.y1) / 2});
    }
    const composite_request request = test_request(c);
    img->may_crop = choice > 0 && is_own(stage, c) &&
                    composite_executor_leaves_image(stage->executor, &request) &&
                    c->memory == TEST_OWN;
    image_crop(img, r);
}

image *test_draw(test_stage *stage, const test_case *c)
{
    image *img = test_provide(stage, c);
    const image *drawn = c->picture->drawn;
    image_clear(img);
    crop(stage, c, img);
    img->active = drawn->active;
    copy_rect(drawn, drawn->active, img);
    return img;
}

composite_request test_request(const test_case *c)
{
    return (composite_request){.algorithm = c->algorithm,
                               .rules = c->rules,
                               .params = c->params,
                               .by_nodes = c->by_nodes,
                               .encoding = c->encoding,
                               .adapts = c->delays && c->delays->adapts,
                               .op = c->picture->frame.op,
                               .order = c->picture->order,
                               .target = c->target,
                               .format = test_format(c->bytes_per_pixel)};
}

/* ---- Expected results -------------------------------------------------------------- */

/* A weight of a pixel, chosen so that the sum over all pixels once differs from other
 * sums. */
static int64_t weigh(int64_t pixel)
{
    uint64_t x = (uint64_t)pixel + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int64_t)((x ^ (x >> 31)) >> 24);
}

static int64_t weigh_range(int64_t pix0, int64_t npix)
{
    int64_t sum = 0;
    for (int64_t i = pix0; i < pix0 + npix; i++) {
        sum += weigh(i);
    }
    return sum;
}

/* Whether the pieces of all ranks ascend, hold each pixel once, and have the right values
 * on this rank. Collective. */
static bool pieces_are_right(const test_case *c, const image *img,
                             const composite_result *result)
{
    const int64_t pixels = image_pixel_count(img);
    int64_t end = 0;
    int64_t sums[2] = {0};
    int64_t all[2];
    bool right = true;
    for (int i = 0; i < result->npieces && right; i++) {
        const composite_piece piece = result->pieces[i];
        right = piece.pix0 >= end && piece.npix > 0 && piece.npix <= pixels - piece.pix0;
        end = piece.pix0 + piece.npix;
        if (right) {
            sums[0] += piece.npix;
            sums[1] += weigh_range(piece.pix0, piece.npix);
            right = c->target != COMPOSITE_PIECES ||
                    test_same_pixels(c->picture->expected, img, piece.pix0, piece.npix);
        }
    }
    parallel_allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return right && all[0] == pixels && all[1] == weigh_range(0, pixels);
}

bool test_same_bytes(const test_case *c, const unsigned char *bytes, int64_t pix0,
                     int64_t npix)
{
    const image *expected = c->picture->expected;
    const composite_format format = test_format(c->bytes_per_pixel);
    for (int64_t i = pix0; i < pix0 + npix; i++) {
        unsigned char pixel[COMPOSITE_MOST_BYTES];
        format.convert(format.context, 1, expected->rgba + 4 * i, pixel);
        for (int b = 0; b < format.bytes_per_pixel; b++) {
            const int actual = bytes[i * format.bytes_per_pixel + b];
            if (actual != pixel[b]) {
                fprintf(stderr, "byte %d of pixel %lld: expected %d, actual %d\n", b,
                        (long long)i, pixel[b], actual);
                return false;
            }
        }
    }
    return true;
}

/* Whether this rank has the right part of a picture delivered to rank 0. */
static bool delivery_is_right(const test_stage *stage, const test_case *c,
                              const image *img, const composite_result *result)
{
    if (stage->rank != 0 || c->target != COMPOSITE_BYTES) {
        return !result->bytes &&
               (stage->rank != 0 || c->target != COMPOSITE_FLOATS ||
                test_same_pixels(c->picture->expected, img, 0, image_pixel_count(img)));
    }
    return result->bytes && test_same_bytes(c, result->bytes, 0, image_pixel_count(img));
}

/* If bytes go through shared memory, each rank finds its pieces there. */
static bool shared_bytes_are_right(const test_stage *stage, const test_case *c,
                                   const composite_result *result)
{
    const unsigned char *shared = composite_executor_shared_bytes(stage->executor);
    bool right = true;
    for (int i = 0; shared && c->memory == TEST_OWN && c->target == COMPOSITE_BYTES &&
                    i < result->npieces;
         i++) {
        right = right && test_same_bytes(c, shared, result->pieces[i].pix0,
                                         result->pieces[i].npix);
    }
    return right;
}

static image *copy_image(const image *img)
{
    const pixel_rect all = {0, 0, img->width, img->height};
    image *copy;
    if (image_create(img->width, img->height, img->depth != NULL, &copy) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        abort();
    }
    copy->active = img->active;
    copy_rect(img, pixel_rect_is_empty(img->kept) ? all : img->kept, copy);
    return copy;
}

/* Whether image_clear has made the whole image transparent. */
static bool is_clear(const image *img)
{
    image cleared = *img;
    cleared.active = (pixel_rect){0, 0, 0, 0};
    return test_active_holds_all(&cleared);
}

/* Whether every pixel of an image was drawn there, or lies in the rectangle of the
 * result. */
static bool merged_holds_the_rest(const test_case *c, const image *after,
                                  pixel_rect drawn, const composite_result *result)
{
    image *rest = copy_image(after);
    rest->active = drawn;
    image_clear(rest);
    rest->active = result->merged;
    image_clear(rest);
    const bool right = c->target == COMPOSITE_FLOATS || is_clear(rest);
    image_destroy(&rest);
    return right;
}

/* Pixels are shared if all ranks have the executor's image and lie on
 * one node. */
static bool counters_are_possible(const test_stage *stage, const test_case *c,
                                  const composite_counters *counters)
{
    const bool shares = c->memory == TEST_OWN || stage->size == 1;
    const bool is_in_reach =
        c->memory == TEST_OWN && stage->executor->reach == COMPOSITE_REACH_ALL;
    return (shares || counters->bytes_shared == 0) &&
           (!is_in_reach || (counters->messages_sent == 0 && counters->bytes_sent == 0));
}

/* The mistake of a result; NULL: none. drawn: the active rectangle before; after: the
 * image when the frame had ended; img: cleared. Collective. */
static const char *find_mistake(const test_stage *stage, const test_case *c,
                                const composite_result *result, pixel_rect drawn,
                                const image *after, const image *img)
{
    if (!pieces_are_right(c, after, result)) {
        return "a piece";
    }
    if (!delivery_is_right(stage, c, after, result)) {
        return "the picture at rank 0";
    }
    if (!shared_bytes_are_right(stage, c, result)) {
        return "a piece in the shared bytes";
    }
    if (!merged_holds_the_rest(c, after, drawn, result)) {
        return "the rectangle of what was merged";
    }
    if (!counters_are_possible(stage, c, &result->counters)) {
        return "a counter";
    }
    if (!test_active_holds_all(after) || !is_clear(img)) {
        return "the active rectangle, or what image_clear leaves";
    }
    return NULL;
}

void test_spoil_shared_bytes(const test_stage *stage)
{
    unsigned char *shared = composite_executor_shared_bytes(stage->executor);
    if (stage->rank == 0 && shared) {
        memset(shared, 0, (size_t)image_pixel_count(stage->own));
    }
}

/* Composites a case; as test_execute_late, but ranks may have drawn before. */
static status execute(test_stage *stage, const test_case *c, image **img,
                      pixel_rect *drawn, composite_result *result)
{
    const composite_request request = test_request(c);
    if (c->delays) {
        return test_execute_late(stage, c, img, drawn, result);
    }
    *img = test_draw(stage, c);
    *drawn = (*img)->active;
    return composite_execute(stage->executor, &request, *img, STATUS_OK, result);
}

bool test_is_exact(test_stage *stage, const test_case *c)
{
    composite_result result;
    image *img;
    pixel_rect drawn;
    test_provide(stage, c);
    test_spoil_shared_bytes(stage);
    base_fail_set_message("");
    const status s = execute(stage, c, &img, &drawn, &result);
    /* Immediately, as a caller may: no rank reads it any more. */
    image *after = copy_image(img);
    if (s == STATUS_OK) {
        image_clear(img);
    }
    bool right = test_all_agree(stage, c, s == STATUS_OK, base_fail_message());
    if (right) {
        const char *mistake = find_mistake(stage, c, &result, drawn, after, img);
        right = test_all_agree(stage, c, !mistake, mistake);
    }
    image_destroy(&after);
    return right;
}

/* ---- Messages about mistakes
 * --------------------------------------------------------- */

static void print_case(const test_stage *stage, const test_case *c)
{
    static const char *const targets[] = {"pieces", "floats", "bytes"};
    static const char *const memories[] = {"own", "ordinary", "mixed"};
    const test_frame *frame = &c->picture->frame;
    fprintf(stderr,
            "  %s (%d factors from %d on, group %d, fan_in %d)%s, encoding %s, operator "
            "%d, %s %d, %s "
            "image, %d x %d, depth %d, %d %%, seed %u, order %u, nodes of %d, segment "
            "%d, %d threads\n",
            c->algorithm ? c->algorithm->name : "any", c->params.nfactors,
            c->params.factors[0], c->params.group, c->params.fan_in,
            c->by_nodes ? " by nodes" : "", composite_encoding_names[c->encoding],
            (int)frame->op, targets[c->target], c->bytes_per_pixel, memories[c->memory],
            frame->width, frame->height, frame->with_depth, frame->percent, frame->seed,
            frame->order, stage->node_size, stage->segment, stage->threads);
}

bool test_all_agree(const test_stage *stage, const test_case *c, bool mine,
                    const char *what)
{
    const int yes = mine;
    int all;
    parallel_allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!mine) {
        fprintf(stderr, "rank %d of %d: wrong: %s\n", stage->rank, stage->size, what);
        print_case(stage, c);
    }
    return all == 1;
}

int test_run(const test_entry *entries, int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        const bool right = entries[i].run();
        failed += !right;
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            printf("%s: %s\n", right ? "ok" : "FAILED", entries[i].name);
            fflush(stdout);
        }
    }
    return failed;
}

bool test_stage_on_all_nodes(bool (*run)(test_stage *stage))
{
    int sizes[4];
    const int count = test_node_sizes(parallel_size(MPI_COMM_WORLD), sizes);
    bool right = true;
    for (int i = 0; i < count && right; i++) {
        test_stage stage;
        test_stage_open(&stage, sizes[i]);
        right = run(&stage);
        test_stage_close(&stage);
    }
    return right;
}
