/* The counters of the executor, and pictures with the same bits every time. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Composites a case and returns the status. */
static status execute(test_stage *stage, const test_case *c, image **img,
                      composite_result *result)
{
    const composite_request request = test_request(c);
    *img = test_draw(stage, c);
    base_fail_set_message("");
    return composite_execute(stage->executor, &request, *img, STATUS_OK, result);
}

/* Whether all pixels stay in shared memory, so that no messages are sent. */
static bool is_in_reach(const test_stage *stage, const test_case *c)
{
    return c->memory == TEST_OWN && composite_is_one_node(stage->executor);
}

/* ---- Counters ---------------------------------------------------------------------- */

/* Of a dense picture: no more than a message has at least, so that none is cut. */
enum { WIDTH = 100, HEIGHT = 20, PIXELS = WIDTH * HEIGHT };

/* A picture none of whose pixels is transparent. */
static test_picture create_dense(bool with_depth)
{
    const test_frame frame = {.width = WIDTH,
                              .height = HEIGHT,
                              .with_depth = with_depth,
                              .percent = 100,
                              .seed = 5000,
                              .order = 5000};
    test_picture picture = test_picture_create(&frame);
    for (int64_t i = 0; i < image_pixel_count(picture.drawn); i++) {
        picture.drawn->rgba[4 * i + 3] = 0.5f;
    }
    return picture;
}

static bool expect_count(const char *what, int64_t expected, int64_t actual)
{
    if (expected != actual) {
        fprintf(stderr, "%s: expected %lld, actual %lld\n", what, (long long)expected,
                (long long)actual);
    }
    return expected == actual;
}

/* Whether direct-send leaves rank 0 alone: the others bring it their merged images. */
static bool leaves_root_alone(const test_stage *stage, const test_case *c)
{
    const int *order = c->picture->order;
    return c->target == COMPOSITE_FLOATS && !composite_is_one_node(stage->executor) &&
           stage->size > 2 && (order[0] == 0 || order[stage->size - 1] == 0);
}

/* What direct-send counts on one rank. */
typedef struct counts {
    int64_t messages, bytes, shared, blended;
} counts;

/* The root alone merges the pieces of the others; these merge among themselves. */
static counts count_beside_root(const test_stage *stage, const test_case *c,
                                int pixel_bytes)
{
    const int *order = c->picture->order;
    const int others = stage->size - 1;
    int place = 0; /* of this rank among the others */
    for (int position = 0; order[position] != stage->rank; position++) {
        place += order[position] != 0;
    }
    const int64_t piece = composite_share_begin(PIXELS, others, place + 1) -
                          composite_share_begin(PIXELS, others, place);
    return stage->rank == 0
               ? (counts){.blended = PIXELS}
               : (counts){others, PIXELS * pixel_bytes, 0, piece * (others - 1)};
}

/* Direct-send sends a message to each rank with a piece that does not share memory, and
 * each of these sends its piece to rank 0. If floats come to rank 0 over a network, it
 * has no piece; or everything, of two ranks. mine: pixels of this rank's piece. */
static counts count_among_all(const test_stage *stage, const test_case *c, int64_t mine,
                              bool shares)
{
    const int pixel_bytes = c->picture->frame.with_depth ? 20 : 16;
    const int final_bytes =
        c->target == COMPOSITE_BYTES ? c->bytes_per_pixel : pixel_bytes;
    const bool delivers = c->target != COMPOSITE_PIECES && stage->rank != 0 && !shares;
    const bool is_far =
        c->target == COMPOSITE_FLOATS && !composite_is_one_node(stage->executor);
    const int owners = !is_far || stage->size == 1 ? stage->size
                       : stage->size == 2          ? 1
                                                   : stage->size - 1;
    counts n = {.shared = pixel_bytes * mine * (stage->size - 1),
                .blended = mine * (stage->size - 1)};
    if (!shares) {
        n.messages = owners - (mine > 0) + (delivers && mine > 0);
        n.bytes = pixel_bytes * (PIXELS - mine) + (delivers ? final_bytes * mine : 0);
        n.shared = 0;
    }
    return n;
}

static bool counts_direct_send(test_stage *stage, const test_case *c, bool shares)
{
    composite_result result;
    image *img;
    const status s = execute(stage, c, &img, &result);
    const int64_t mine = result.npieces == 1 ? result.pieces[0].npix : 0;
    const counts expected =
        leaves_root_alone(stage, c)
            ? count_beside_root(stage, c, c->picture->frame.with_depth ? 20 : 16)
            : count_among_all(stage, c, mine, shares);
    const composite_counters *n = &result.counters;
    const bool right = s == STATUS_OK &&
                       expect_count("messages", expected.messages, n->messages_sent) &&
                       expect_count("bytes", expected.bytes, n->bytes_sent) &&
                       expect_count("shared bytes", expected.shared, n->bytes_shared) &&
                       expect_count("blended", expected.blended, n->pixels_blended);
    return test_all_agree(stage, c, right, "messages, bytes or pixels");
}

static bool counters_add_up_what_was_sent_and_blended(void)
{
    bool right = true;
    for (int i = 0; i < 24 && right; i++) {
        test_picture picture = create_dense(i % 2 == 1);
        test_stage stage;
        test_stage_open(&stage, i < 12 ? 0 : 1);
        test_stage_set(&stage, COMPOSITE_SEGMENT, 1 + i % 3);
        const test_case c = {.picture = &picture,
                             .algorithm = composite_algorithm_find("direct-send"),
                             .target = (composite_target)(i / 4 % 3),
                             .bytes_per_pixel = 3,
                             .memory = i % 4 < 2 ? TEST_OWN : TEST_ORDINARY};
        right = counts_direct_send(&stage, &c, is_in_reach(&stage, &c));
        test_stage_close(&stage);
        test_picture_destroy(&picture);
    }
    return right;
}

/* One pixel of each rank is active. */
static test_picture create_dots(void)
{
    const test_frame frame = {
        .width = 512, .height = 512, .percent = 0, .seed = 5100, .order = 5100};
    test_picture picture = test_picture_create(&frame);
    const int row = 10 + parallel_rank(MPI_COMM_WORLD);
    image *img = picture.drawn;
    img->active = (pixel_rect){100, row, 101, row + 1};
    img->rgba[4 * ((int64_t)row * img->width + 100) + 3] = 1.0f;
    return picture;
}

/* A run is a header of 8 bytes and a pixel. The runs of earlier positions may pass
 * through this rank, and once more on their way to rank 0. */
static bool dots_cost_little(test_stage *stage, const test_case *c)
{
    composite_result result;
    image *img;
    const status s = execute(stage, c, &img, &result);
    const int64_t final_bytes = c->target == COMPOSITE_PIECES   ? 0
                                : c->target == COMPOSITE_FLOATS ? 8 + 16
                                                                : 8 + c->bytes_per_pixel;
    const int64_t most = (8 + 16 + final_bytes) * stage->size;
    const int64_t sent = result.counters.bytes_sent;
    int64_t all;
    parallel_allreduce(&sent, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    const bool should_send = stage->size > 1;
    const bool right = s == STATUS_OK && sent <= most && (all > 0) == should_send;
    if (!right) {
        fprintf(stderr, "expected at most %lld bytes and some in all, actual %lld\n",
                (long long)most, (long long)sent);
    }
    return test_all_agree(stage, c, right, "more bytes than one run a rank");
}

static bool nothing_transparent_travels(void)
{
    bool right = true;
    test_picture picture = create_dots();
    for (int i = 0; i < 12 && right; i++) {
        test_stage stage;
        test_stage_open(&stage, i % 2);
        const test_case c = {
            .picture = &picture,
            .algorithm = composite_algorithm_find(i < 6 ? "binary-swap" : "direct-send"),
            .target = (composite_target)(i / 2 % 3),
            .bytes_per_pixel = 3,
            .memory = i % 2 ? TEST_OWN : TEST_ORDINARY};
        right = dots_cost_little(&stage, &c);
        test_stage_close(&stage);
    }
    test_picture_destroy(&picture);
    return right;
}

/* ---- Rounded values ---------------------------------------------------------------- */

/* The picture at rank 0, in the format of the target; the caller frees it. */
static unsigned char *take_picture(const test_case *c, const image *img,
                                   const composite_result *result, size_t *size)
{
    const size_t pixels = (size_t)image_pixel_count(img);
    const size_t rgba = pixels * 4 * sizeof(float);
    *size = c->target == COMPOSITE_BYTES ? pixels * (size_t)c->bytes_per_pixel
                                         : rgba + (img->depth ? rgba / 4 : 0);
    unsigned char *copy = malloc(*size);
    if (!copy) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    if (c->target == COMPOSITE_BYTES) {
        memcpy(copy, result->bytes, *size);
    } else {
        memcpy(copy, img->rgba, rgba);
        if (img->depth) {
            memcpy(copy + rgba, img->depth, rgba / 4);
        }
    }
    return copy;
}

/* Whether a case gives the same picture as the first one; *first is NULL before the
 * first. */
static bool gives_the_same(test_stage *stage, const test_case *c, unsigned char **first)
{
    composite_result result;
    image *img;
    const status s = execute(stage, c, &img, &result);
    bool right = s == STATUS_OK;
    if (right && stage->rank == 0) {
        size_t size;
        unsigned char *picture = take_picture(c, img, &result, &size);
        right = !*first || memcmp(*first, picture, size) == 0;
        if (*first) {
            free(picture);
        } else {
            *first = picture;
        }
    }
    return test_all_agree(stage, c, right, "bits differ from those of the first run");
}

/* On given nodes one algorithm gives the same bits for all kinds of memory, parts and
 * threads. Images of other nodes merge in another order than those of the same node, and
 * direct-send cuts other pieces if a network brings them to rank 0. */
static bool one_algorithm_gives_one_picture(const composite_algorithm *algorithm,
                                            const test_picture *picture,
                                            composite_target target)
{
    static const int segments[] = {COMPOSITE_SEGMENT, 500, 77};
    int sizes[4];
    const int count = test_node_sizes(parallel_size(MPI_COMM_WORLD), sizes);
    bool right = true;
    for (int i = 0; i < count && right; i++) {
        unsigned char *first = NULL;
        test_stage stage;
        test_stage_open(&stage, sizes[i]);
        for (int n = 0; n < 9 && right; n++) {
            const test_case c = {.picture = picture,
                                 .algorithm = algorithm,
                                 .target = target,
                                 .bytes_per_pixel = 4,
                                 .memory = (test_memory)(n % 3)};
            test_stage_set(&stage, segments[n / 3], n % 2 ? 1 : 3);
            right = gives_the_same(&stage, &c, &first);
        }
        test_stage_close(&stage);
        free(first);
    }
    return right;
}

static bool rounded_pictures_are_the_same_bits_in_every_run(void)
{
    const composite_algorithm *algorithm;
    bool right = true;
    for (int kind = 0; kind < 3 && right; kind++) {
        const test_frame frame = {.width = 97,
                                  .height = 31,
                                  .with_depth = kind > 0,
                                  .percent = kind == 1 ? 100 : 50,
                                  .op = kind < 2 ? COMPOSITE_OVER : COMPOSITE_NEAREST,
                                  .seed = 5200 + (uint32_t)kind,
                                  .order = 5200 + (uint32_t)kind,
                                  .rounds = true};
        test_picture picture = test_picture_create(&frame);
        for (int n = 0; (algorithm = composite_algorithm_at(n)) && right; n++) {
            right =
                one_algorithm_gives_one_picture(algorithm, &picture, COMPOSITE_FLOATS) &&
                one_algorithm_gives_one_picture(algorithm, &picture, COMPOSITE_BYTES);
        }
        test_picture_destroy(&picture);
    }
    return right;
}

/* ---- Large messages and many pieces ------------------------------------------------ */

/* Images are cut into more than one part each, as they are by default. */
static bool large_images_are_cut_into_parts(void)
{
    const test_frame frame = {.width = 400,
                              .height = 300,
                              .with_depth = true,
                              .percent = 100,
                              .seed = 5300,
                              .order = 5300};
    test_picture picture = test_picture_create(&frame);
    bool right = true;
    for (int i = 0; i < 6 && right; i++) {
        test_stage stage;
        test_stage_open(&stage, i % 2);
        test_stage_set(&stage, COMPOSITE_SEGMENT, 1 + i % 3);
        const test_case c = {.picture = &picture,
                             .algorithm =
                                 composite_algorithm_find(i < 3 ? "radix-k" : "tree"),
                             .target = (composite_target)(i % 3),
                             .bytes_per_pixel = 3,
                             .memory = i < 4 ? TEST_OWN : TEST_ORDINARY};
        right = test_is_exact(&stage, &c);
        test_stage_close(&stage);
    }
    test_picture_destroy(&picture);
    return right;
}

/* ---- Pieces ------------------------------------------------------------------------ */

enum { SIDE = 128 };

/* Makes an image of half-transparent rows [y0, y1), and nothing else. */
static void draw_rows(image *img, int y0, int y1)
{
    image_clear(img);
    img->active = (pixel_rect){0, y0, SIDE, y1};
    for (int64_t i = (int64_t)y0 * SIDE; i < (int64_t)y1 * SIDE; i++) {
        img->rgba[4 * i] = 0.25f;
        img->rgba[4 * i + 3] = 0.5f;
    }
}

/* Whether this rank's pieces hold the right pixels, and at most `most` pixels of the
 * rows. */
static bool holds_share(const image *img, const composite_result *result, int ranks,
                        int y0, int y1, int64_t most)
{
    const float shown = 1.0f - ldexpf(1.0f, -ranks);
    int64_t count = 0;
    for (int n = 0; n < result->npieces; n++) {
        const composite_piece piece = result->pieces[n];
        for (int64_t i = piece.pix0; i < piece.pix0 + piece.npix; i++) {
            const bool shows = i >= (int64_t)y0 * SIDE && i < (int64_t)y1 * SIDE;
            if (img->rgba[4 * i + 3] != (shows ? shown : 0.0f)) {
                fprintf(stderr, "alpha of pixel %lld: expected %g, actual %g\n",
                        (long long)i, shows ? (double)shown : 0.0,
                        (double)img->rgba[4 * i + 3]);
                return false;
            }
            count += shows;
        }
    }
    if (count > most) {
        fprintf(stderr,
                "pixels that show something: expected at most %lld, actual %lld\n",
                (long long)most, (long long)count);
    }
    return count <= most;
}

/* Rows from y0 on, an eighth of the picture, by one algorithm. */
static bool shares_rows(test_stage *stage, const int *order, const char *algorithm,
                        int y0)
{
    const int y1 = y0 + SIDE / 8;
    const int64_t all = (int64_t)(y1 - y0) * SIDE;
    const composite_request request = {.algorithm = composite_algorithm_find(algorithm),
                                       .order = order};
    composite_result result;
    draw_rows(stage->own, y0, y1);
    const status s =
        composite_execute(stage->executor, &request, stage->own, STATUS_OK, &result);
    /* Binary swap has a power of two of pieces, and a third of them are empty. */
    int pieces = 1;
    while (2 * pieces <= stage->size) {
        pieces *= 2;
    }
    const int64_t most = all * 3 / 2 / pieces + SIDE;
    const bool right =
        s == STATUS_OK && holds_share(stage->own, &result, stage->size, y0, y1, most);
    int mine = right;
    int every;
    parallel_allreduce(&mine, &every, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!every && stage->rank == 0) {
        fprintf(stderr, "%s, rows from %d, nodes of %d\n", algorithm, y0,
                stage->node_size);
    }
    return every;
}

static bool share_all(test_stage *stage)
{
    static const char *const names[] = {"direct-send", "binary-swap", "2-3-swap",
                                        "radix-k"};
    static const int rows[] = {0, 0, 40, 40, SIDE - SIDE / 8};
    int order[TEST_MOST_RANKS];
    bool right = composite_executor_image(stage->executor, SIDE, SIDE, false,
                                          &stage->own) == STATUS_OK;
    for (int i = 0; i < stage->size; i++) {
        order[i] = stage->size - 1 - i;
    }
    for (int n = 0; n < 4 && right; n++) {
        for (int i = 0; i < 5 && right; i++) {
            right = shares_rows(stage, order, names[n], rows[i]);
        }
    }
    return right;
}

static bool pieces_share_what_images_show(void)
{
    return test_stage_on_all_nodes(share_all);
}

/* ---- Encoding ---------------------------------------------------------------------- */

/* Bytes of this rank's messages in the last frame, if each has all its pixels. */
static int64_t count_raw_bytes(const composite_executor *executor, int pixel_bytes)
{
    const composite_part_list *sends = &executor->plan.sends;
    int64_t bytes = 0;
    for (int64_t i = 0; i < sends->count; i++) {
        const composite_part *part = &sends->items[i];
        const bool is_sent =
            !part->is_empty && !composite_is_near(&executor->run, part->peer);
        bytes += is_sent ? part->npix * pixel_bytes : 0;
    }
    return bytes;
}

/* Sends a sparse picture in one encoding. Sets the bytes of all ranks' messages. */
static bool send_sparse(test_stage *stage, test_case *c, composite_encoding encoding,
                        int64_t *bytes)
{
    const int pixel_bytes = c->picture->frame.with_depth ? 20 : 16;
    image *img;
    composite_result result = {0};
    c->encoding = encoding;
    bool right = execute(stage, c, &img, &result) == STATUS_OK;
    const int64_t sent = result.counters.bytes_sent;
    const int64_t raw = count_raw_bytes(stage->executor, pixel_bytes);
    right = right && (encoding == COMPOSITE_ENCODING_RAW
                          ? expect_count("bytes of raw messages", raw, sent)
                          : sent <= raw);
    parallel_allreduce(&sent, bytes, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return test_all_agree(stage, c, right, "bytes of messages") &&
           test_is_exact(stage, c);
}

static bool send_sparse_both_ways(test_stage *stage)
{
    static const char *const names[] = {"direct-send", "binary-swap", "tree"};
    bool right = true;
    for (int n = 0; n < 6 && right; n++) {
        const test_frame frame = {.width = WIDTH,
                                  .height = HEIGHT,
                                  .with_depth = n % 2,
                                  .percent = 10,
                                  .seed = 5100,
                                  .order = 5100};
        test_picture picture = test_picture_create(&frame);
        test_case c = {.picture = &picture,
                       .algorithm = composite_algorithm_find(names[n / 2]),
                       .target = n < 3 ? COMPOSITE_PIECES : COMPOSITE_FLOATS,
                       .memory = TEST_ORDINARY};
        int64_t least, all;
        right = send_sparse(stage, &c, COMPOSITE_ENCODING_AUTO, &least) &&
                send_sparse(stage, &c, COMPOSITE_ENCODING_RAW, &all) &&
                (stage->size == 1 || least < all);
        test_picture_destroy(&picture);
    }
    return right;
}

static bool raw_messages_have_all_their_pixels(void)
{
    return test_stage_on_all_nodes(send_sparse_both_ways);
}

int test_numbers(void)
{
    const test_entry entries[] = {
        {"counters add up what was sent and blended",
         counters_add_up_what_was_sent_and_blended},
        {"nothing transparent travels", nothing_transparent_travels},
        {"raw messages have all their pixels", raw_messages_have_all_their_pixels},
        {"rounded pictures are the same bits in every run",
         rounded_pictures_are_the_same_bits_in_every_run},
        {"large images are cut into parts", large_images_are_cut_into_parts},
        {"pieces share what images show", pieces_share_what_images_show},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
