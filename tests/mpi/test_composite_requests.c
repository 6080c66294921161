/* Impossible requests: all ranks are told, and none waits for messages that never
 * come. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 12 };

static const test_frame plain = {.width = WIDTH,
                                 .height = HEIGHT,
                                 .with_depth = true,
                                 .percent = 50,
                                 .seed = 4000,
                                 .order = 4000};

/* A request, of one rank or of all. */
typedef struct question {
    composite_request request;
    int order[TEST_MOST_RANKS];
    int width, height, segment;
    bool with_depth, is_cropped;
    int64_t cut; /* shift of a border; 0: no border moves */
} question;

typedef void change(question *q, int ranks);

/* The image of a question; *other holds it if it is not that of the stage. */
static image *find_image(test_stage *stage, const test_case *c, const question *q,
                         image **other)
{
    image *img = test_draw(stage, c);
    *other = NULL;
    if (img->width == q->width && img->height == q->height &&
        (img->depth != NULL) == q->with_depth) {
        return img;
    }
    if (image_create(q->width, q->height, q->with_depth, other) != STATUS_OK) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return *other;
}

/* Moves a border by so many of 64 pixels. */
static void move_cut(composite_executor *executor, int64_t parts)
{
    executor->cutting.pixels = (int64_t)WIDTH * HEIGHT;
    for (int i = 0; i <= COMPOSITE_BANDS; i++) {
        executor->cutting.cuts.before[i] =
            64 * i + (i == COMPOSITE_BANDS / 2 ? parts : 0);
    }
}

/* Whether a question is refused that is right except for a change on the last rank, or on
 * all. */
static bool is_refused(test_stage *stage, const test_case *c, change *alter, bool by_all,
                       status expected, const char *word)
{
    question q = {.request = test_request(c),
                  .width = WIDTH,
                  .height = HEIGHT,
                  .segment = COMPOSITE_SEGMENT,
                  .with_depth = true};
    image *other;
    composite_result result;
    memcpy(q.order, c->picture->order, sizeof q.order);
    q.request.order = q.order;
    if (by_all || stage->rank == stage->size - 1) {
        alter(&q, stage->size);
    }
    image *img = find_image(stage, c, &q, &other);
    if (q.is_cropped) {
        image_clear(img);
        img->may_crop = true;
        image_crop(img, (pixel_rect){1, 1, WIDTH / 2, HEIGHT / 2});
    }
    base_fail_set_message("");
    composite_executor_limit_messages(stage->executor, q.segment);
    if (q.cut != 0) {
        move_cut(stage->executor, q.cut);
    }
    const status s =
        composite_execute(stage->executor, &q.request, img, STATUS_OK, &result);
    composite_executor_limit_messages(stage->executor, COMPOSITE_SEGMENT);
    image_destroy(&other);
    const bool right = s == expected && strstr(base_fail_message(), word);
    if (!right) {
        fprintf(stderr, "expected status %d and \"%s\", actual %d: %s\n", (int)expected,
                word, (int)s, base_fail_message());
    }
    return test_all_agree(stage, c, right, "expected a refusal on all ranks") &&
           test_is_exact(stage, c);
}

/* ---- Different things -------------------------------------------------------------- */

static void ask_for_less_height(question *q, int ranks)
{
    (void)ranks;
    q->height--;
}

static void ask_for_more_width(question *q, int ranks)
{
    (void)ranks;
    q->width++;
}

static void ask_for_other_sides(question *q, int ranks)
{
    (void)ranks;
    q->width = HEIGHT;
    q->height = WIDTH;
}

static void ask_without_depth(question *q, int ranks)
{
    (void)ranks;
    q->with_depth = false;
}

static void ask_for_other_order(question *q, int ranks)
{
    const int last = q->order[ranks - 1];
    q->order[ranks - 1] = q->order[0];
    q->order[0] = last;
}

static void ask_for_other_algorithm(question *q, int ranks)
{
    (void)ranks;
    q->request.algorithm = composite_algorithm_find("direct-send");
}

static void ask_for_other_params(question *q, int ranks)
{
    (void)ranks;
    q->request.params.fan_in = 3;
}

static void ask_by_nodes(question *q, int ranks)
{
    (void)ranks;
    q->request.by_nodes = true;
}

static void ask_for_raw_messages(question *q, int ranks)
{
    (void)ranks;
    q->request.encoding = COMPOSITE_ENCODING_RAW;
}

static void ask_for_nearest(question *q, int ranks)
{
    (void)ranks;
    q->request.op = COMPOSITE_NEAREST;
}

static void ask_for_floats(question *q, int ranks)
{
    (void)ranks;
    q->request.target = COMPOSITE_FLOATS;
}

static void ask_for_more_bytes(question *q, int ranks)
{
    (void)ranks;
    q->request.format = test_format(4);
}

static void ask_for_small_messages(question *q, int ranks)
{
    (void)ranks;
    q->segment = 20;
}

static void cut_elsewhere(question *q, int ranks)
{
    (void)ranks;
    q->cut = 1;
}

/* Refused with images in all kinds of memory, and by a sentence that names the
 * difference. */
static bool ranks_that_ask_for_different_things_are_told(void)
{
    static const struct {
        change *alter;
        const char *word;
    } changes[] = {
        {ask_for_less_height, "height"},  {ask_for_more_width, "width"},
        {ask_for_other_sides, "width"},   {ask_without_depth, "depth"},
        {ask_for_other_order, "order"},   {ask_for_other_algorithm, "algorithm"},
        {ask_for_other_params, "param"},  {ask_for_nearest, "operator"},
        {ask_for_floats, "target"},       {ask_for_more_bytes, "same"},
        {ask_for_small_messages, "same"}, {cut_elsewhere, "cuts"},
        {ask_by_nodes, "nodes"},          {ask_for_raw_messages, "encoding"},
    };
    test_stage stage;
    bool right = true;
    test_stage_open(&stage, 0);
    test_picture picture = test_picture_create(&plain);
    test_case c = {.picture = &picture,
                   .algorithm = composite_algorithm_find("tree"),
                   .target = COMPOSITE_BYTES,
                   .bytes_per_pixel = 3};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0] && right; i++) {
        c.memory = (test_memory)(i % 3);
        right = stage.size == 1 || is_refused(&stage, &c, changes[i].alter, false,
                                              STATUS_INTERNAL, changes[i].word);
    }
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return right;
}

/* ---- Wrong things ------------------------------------------------------------------ */

static void ask_for_factors(question *q, int ranks)
{
    (void)ranks;
    q->request.params = (composite_params){.nfactors = 1, .factors = {2}};
}

static void ask_for_a_group(question *q, int ranks)
{
    (void)ranks;
    q->request.params.group = 2;
}

static void ask_for_fan_in_one(question *q, int ranks)
{
    (void)ranks;
    q->request.params.fan_in = 1;
}

static void ask_for_wrong_factors(question *q, int ranks)
{
    q->request.algorithm = composite_algorithm_find("radix-k");
    q->request.params = (composite_params){.nfactors = 2, .factors = {ranks, 2}};
}

static void ask_for_too_large_a_group(question *q, int ranks)
{
    q->request.algorithm = composite_algorithm_find("tod-tree");
    q->request.params = (composite_params){.group = ranks + 1};
}

static void ask_for_no_bytes(question *q, int ranks)
{
    (void)ranks;
    q->request.format.bytes_per_pixel = 0;
}

static void ask_for_five_bytes(question *q, int ranks)
{
    (void)ranks;
    q->request.format.bytes_per_pixel = 5;
}

static void ask_for_nearest_without_depth(question *q, int ranks)
{
    (void)ranks;
    q->request.op = COMPOSITE_NEAREST;
    q->with_depth = false;
}

static void ask_with_a_cropped_image(question *q, int ranks)
{
    (void)ranks;
    q->is_cropped = true;
}

static void ask_for_a_rank_twice(question *q, int ranks)
{
    q->order[0] = ranks > 1 ? q->order[1] : 1;
}

static void ask_for_no_such_rank(question *q, int ranks)
{
    q->order[0] = q->order[0] == 0 ? -1 : ranks;
}

static bool wrong_requests_are_refused_by_all_ranks(void)
{
    static const struct {
        change *alter;
        status expected;
        const char *word;
    } changes[] = {
        {ask_for_factors, STATUS_USAGE, "factors"},
        {ask_for_a_group, STATUS_USAGE, "group"},
        {ask_for_fan_in_one, STATUS_USAGE, "fan_in"},
        {ask_for_wrong_factors, STATUS_USAGE, "factors"},
        {ask_for_too_large_a_group, STATUS_USAGE, "group"},
        {ask_for_no_bytes, STATUS_INTERNAL, "0 bytes"},
        {ask_for_five_bytes, STATUS_INTERNAL, "5 bytes"},
        {ask_for_nearest_without_depth, STATUS_INTERNAL, "depth"},
        {ask_with_a_cropped_image, STATUS_INTERNAL, "cropped"},
        {ask_for_a_rank_twice, STATUS_INTERNAL, "order"},
        {ask_for_no_such_rank, STATUS_INTERNAL, "order"},
    };
    test_stage stage;
    bool right = true;
    test_stage_open(&stage, 0);
    test_picture picture = test_picture_create(&plain);
    test_case c = {.picture = &picture,
                   .algorithm = composite_algorithm_find("tree"),
                   .target = COMPOSITE_BYTES,
                   .bytes_per_pixel = 3};
    for (size_t i = 0; i < 2 * sizeof changes / sizeof changes[0] && right; i++) {
        c.memory = (test_memory)(i % 3);
        right = is_refused(&stage, &c, changes[i / 2].alter, i % 2 == 0,
                           changes[i / 2].expected, changes[i / 2].word);
    }
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return right;
}

int test_requests(void)
{
    const test_entry entries[] = {
        {"ranks that ask for different things are told",
         ranks_that_ask_for_different_things_are_told},
        {"wrong requests are refused by all ranks",
         wrong_requests_are_refused_by_all_ranks},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
