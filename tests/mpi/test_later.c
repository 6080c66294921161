/*
 * Bricks that show nothing stay out of memory, and pictures do not change by that.
 *
 *   test_later DATA_SET FOLDED_DATA_SET
 *
 * Every rank draws its part of a flow twice, step after step. One scene starts anew for
 * each picture and has all bricks. The other is kept, and loads bricks, or parts of them,
 * as they are needed. Pictures, counts and bricks must be the same to the last bit.
 */
#include "test_io_support.h"

#include "grid/partition/partition.h"
#include "grid/priority.h"
#include "render/cells/trim.h"
#include "render/volume.h"
#include "support/bricks.h"
#include "tests/support/draw_volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48 };

static const char *data_set, *folded_data_set;

/* The field, its range and its view. */
typedef struct later_case {
    const char *field;
    double range[2];
    double opacities[3][2];
    double position[3], look_at[3];
} later_case;

/* The flow is mostly clear. The first field uses stored values; the second is made of
 * derivatives. */
static const later_case cases[] = {
    {"pressure",
     {-1.6, 0.5},
     {{0.0, 0.9}, {0.55, 0.2}, {0.6, 0.0}},
     {3.0, -22.0, 14.0},
     {6.0, 0.0, 1.5}},
    {"vorticity_magnitude",
     {0.0, 3.0},
     {{0.75, 0.0}, {0.8, 0.3}, {1.0, 0.9}},
     {3.0, -22.0, 14.0},
     {6.0, 0.0, 1.5}},
};

static const later_case folded_case = {"wave",
                                       {0.0, 1.0},
                                       {{0.0, 0.1}, {0.5, 0.3}, {1.0, 0.6}},
                                       {3.0, -4.0, 2.5},
                                       {0.0, 0.0, 0.0}};

/* One rank's part of the flow, in two stores. */
typedef struct flow {
    io_source *source;
    grid_layout *layout;
    grid_recipe *recipe;
    grid_partition *partition;
    box3 box;
    grid_store *all, *later;
    render_scene *scene;
    render_transfer *transfer;
    render_camera camera;
} flow;

/* ---- Setting up -------------------------------------------------------------------- */

static status make_stores(flow *f)
{
    int64_t count = 0, *numbers = NULL;
    status s =
        grid_partition_create(f->layout, parallel_size(MPI_COMM_WORLD), &f->partition);
    if (s == STATUS_OK) {
        f->box = grid_partition_box(f->partition, parallel_rank(MPI_COMM_WORLD));
        numbers = test_bricks_meet(f->layout, f->box, &count);
        s = numbers ? s : base_fail_memory(0, "the bricks of a part");
    }
    const grid_location location = grid_recipe_location(f->recipe);
    s = parallel_agree(MPI_COMM_WORLD, s);
    if (s == STATUS_OK) {
        s = io_load_bricks(MPI_COMM_WORLD, f->source,
                           &(io_load_list){f->layout, count, numbers, location}, &f->all);
    }
    if (s == STATUS_OK) {
        s = io_load_later(MPI_COMM_WORLD,
                          &(io_load_list){f->layout, count, numbers, location},
                          &f->later);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(MPI_COMM_WORLD, render_scene_create(f->later, &f->scene));
    }
    free(numbers);
    return s;
}

static status make_view(const later_case *c, flow *f)
{
    static const double colors[2][4] = {{0.0, 0.1, 0.3, 0.9}, {1.0, 1.0, 0.6, 0.1}};
    const render_transfer_points points = {.ncolors = 2,
                                           .colors = colors,
                                           .nopacities = 3,
                                           .opacities = c->opacities,
                                           .range = {c->range[0], c->range[1]},
                                           .unit_length = 0.4};
    const render_view view = {
        .position = {{c->position[0], c->position[1], c->position[2]}},
        .look_at = {{c->look_at[0], c->look_at[1], c->look_at[2]}},
        .up = vec3_make(0.0, 0.0, 1.0),
        .fov = 35.0};
    status s = render_transfer_create(&points, &f->transfer);
    return s == STATUS_OK
               ? render_camera_create(&view, WIDTH, HEIGHT, f->layout->origin, &f->camera)
               : s;
}

static status open_flow(const later_case *c, const char *file, flow *f)
{
    const io_data_config config = {.file = (char *)file};
    status s = io_source_open(MPI_COMM_WORLD, &config, &f->source);
    if (s == STATUS_OK) {
        s = io_load_layout(MPI_COMM_WORLD, f->source, &f->layout);
    }
    if (s == STATUS_OK) {
        s = grid_layout_rank_blocks(f->layout, 0, NULL);
    }
    if (s == STATUS_OK) {
        s = grid_recipe_create(c->field, io_source_field_count(f->source),
                               io_source_fields(f->source), test_gas, &f->recipe);
    }
    s = parallel_agree(MPI_COMM_WORLD, s);
    if (s == STATUS_OK) {
        s = make_stores(f);
    }
    return s == STATUS_OK ? make_view(c, f) : s;
}

static void close_flow(flow *f)
{
    render_transfer_destroy(&f->transfer);
    render_scene_destroy(&f->scene);
    grid_store_destroy(&f->later);
    grid_store_destroy(&f->all);
    grid_partition_destroy(&f->partition);
    grid_recipe_destroy(&f->recipe);
    grid_layout_destroy(&f->layout);
    if (f->source) {
        io_source_close(&f->source);
    }
}

/* ---- Comparing --------------------------------------------------------------------- */

static bool shows(const void *context, const grid_brick *brick)
{
    const flow *f = context;
    return render_scene_shows(f->scene, f->transfer, brick);
}

static grid_brick_place find_part(const void *context, const grid_brick *brick)
{
    const flow *f = context;
    return render_march_part(f->layout, f->box, brick);
}

static size_t vertices_of(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
}

/* Whether a brick, or a part of one, has the values of the whole brick there. */
static bool is_same_brick(const grid_brick *whole, const grid_brick *found)
{
    const size_t vertices = vertices_of(found);
    grid_brick expected = *found;
    expected.vertex = malloc(vertices * sizeof *expected.vertex);
    expected.flags = malloc(vertices);
    bool is_same = expected.vertex && expected.flags;
    if (is_same) {
        grid_brick_copy_part(whole, &expected);
        is_same = memcmp(expected.vertex, found->vertex,
                         vertices * sizeof *found->vertex) == 0 &&
                  memcmp(expected.flags, found->flags, vertices) == 0 &&
                  expected.windings == found->windings;
    }
    free(expected.vertex);
    free(expected.flags);
    return is_same;
}

/* Whether the range is that of the whole brick, or, for a part, one within it. */
static bool has_right_range(const grid_brick *whole, const grid_brick *found,
                            bool is_part)
{
    return is_part ? !whole->has_range ||
                         (found->has_range && found->range[0] >= whole->range[0] &&
                          found->range[1] <= whole->range[1])
                   : whole->has_range == found->has_range &&
                         whole->range[0] == found->range[0] &&
                         whole->range[1] == found->range[1];
}

/* The numbers of bricks at a step, summed over ranks. */
typedef struct brick_counts {
    int64_t held, loaded, shown, parts;
} brick_counts;

/* Compares bricks that are in memory; visible bricks must be there. */
static brick_counts compare_bricks(const flow *f)
{
    brick_counts mine = {.held = f->later->nbricks}, sum;
    for (int64_t slot = 0; slot < f->later->nbricks; slot++) {
        const grid_brick *a = &f->all->bricks[slot], *b = &f->later->bricks[slot];
        const bool is_part = !grid_brick_is_whole(f->later, b);
        check(has_right_range(a, b, is_part), "brick %lld: the range is another one",
              (long long)b->number);
        bool is_shown = shows(f, b);
        check(b->vertex || !is_shown, "brick %lld shows something and is not loaded",
              (long long)b->number);
        check(!b->vertex || is_same_brick(a, b), "brick %lld is another one",
              (long long)b->number);
        mine.loaded += b->vertex != NULL;
        mine.shown += is_shown;
        mine.parts += is_part;
    }
    parallel_allreduce(&mine, &sum, 4, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Parts of bricks may be clear although the bricks are not: fewer cells are crossed. The
 * same holds for later pictures of a view. */
static void check_counts(const flow *f, bool is_first, const render_counters *all,
                         const render_counters *later)
{
    const bool is_same = all->crossings == later->crossings && all->rays == later->rays;
    const bool is_less = all->crossings >= later->crossings && all->rays >= later->rays;
    check(is_first && !grid_store_has_parts(f->later) ? is_same : is_less,
          "%lld crossings of %lld rays are expected, not %lld of %lld",
          (long long)all->crossings, (long long)all->rays, (long long)later->crossings,
          (long long)later->rays);
    check(all->lost_rays == 0 && later->lost_rays == 0, "rays are lost");
}

/* Draws with and without depth; all bricks must be in memory for depth. */
static void compare_pictures(const flow *f, bool with_depth, int threads)
{
    const render_style style = {.method = RENDER_AUTO};
    image *a = NULL, *b = NULL;
    render_counters one, two, fresh;
    if (check_ok(image_create(WIDTH, HEIGHT, with_depth, &a), "image") &&
        check_ok(image_create(WIDTH, HEIGHT, with_depth, &b), "image") &&
        check_ok(draw_volume(f->all,
                             &(render_request){.style = &style,
                                               .transfer = f->transfer,
                                               .camera = &f->camera,
                                               .clip = f->box,
                                               .threads = 1},
                             a, &one),
                 "drawing all bricks") &&
        check_ok(render_scene_draw(f->scene,
                                   &(render_request){.style = &style,
                                                     .transfer = f->transfer,
                                                     .camera = &f->camera,
                                                     .clip = f->box,
                                                     .threads = threads},
                                   b, &two),
                 "drawing a scene")) {
        size_t pixels = (size_t)image_pixel_count(a);
        check(memcmp(a->rgba, b->rgba, 4 * pixels * sizeof *a->rgba) == 0,
              "the pictures differ");
        check(!with_depth || memcmp(a->depth, b->depth, pixels * sizeof *a->depth) == 0,
              "the depths differ");
        check_counts(f, false, &one, &two);
    }
    if (a && b) {
        image_clear(b);
        check_ok(draw_volume(f->later,
                             &(render_request){.style = &style,
                                               .transfer = f->transfer,
                                               .camera = &f->camera,
                                               .clip = f->box,
                                               .threads = threads},
                             b, &fresh),
                 "drawing some bricks");
        check_counts(f, true, &one, &fresh);
    }
    image_destroy(&a);
    image_destroy(&b);
}

/* ---- Tests ------------------------------------------------------------------------- */

static brick_counts do_step(const flow *f, int step, const io_load_filter *filter)
{
    check_ok(io_load_field(MPI_COMM_WORLD, f->source, f->recipe, step, f->all), "field");
    check_ok(io_load_wanted(MPI_COMM_WORLD, f->source, f->recipe, step, filter, f->later),
             "wanted field");
    brick_counts counts = compare_bricks(f);
    compare_pictures(f, false, 1 + step % 2);
    compare_pictures(f, false, 2); /* the scene as it is */
    return counts;
}

/* All steps, and the first once more: bricks become visible, and invisible again. */
static void play_steps(const flow *f, bool in_parts)
{
    const io_load_filter filter = {shows, in_parts ? find_part : NULL, f};
    const int steps = io_source_step_count(f->source);
    brick_counts first = {0}, now = {0};
    for (int n = 0; n <= steps; n++) {
        now = do_step(f, n % steps, &filter);
        first = n == 0 ? now : first;
        check(4 * now.loaded < 3 * now.held, "%lld bricks of %lld are loaded",
              (long long)now.loaded, (long long)now.held);
    }
    check((in_parts || first.loaded == first.shown) && first.loaded > 0,
          "at first %lld bricks are loaded, though %lld show something",
          (long long)first.loaded, (long long)first.shown);
    check(now.shown == first.shown && now.loaded > first.loaded,
          "in the end %lld bricks are loaded, %lld at first: none came later",
          (long long)now.loaded, (long long)first.loaded);
    check((now.parts > 0) == (in_parts && parallel_size(MPI_COMM_WORLD) > 1),
          "%lld bricks are parts", (long long)now.parts);
    now = do_step(f, 0, NULL);
    check(now.loaded == now.held, "%lld bricks of %lld are loaded where all are wanted",
          (long long)now.loaded, (long long)now.held);
    compare_pictures(f, true, 2);
    compare_pictures(f, false, 2);
}

static void test_case(const later_case *c, bool in_parts)
{
    flow f = {0};
    if (check_ok(open_flow(c, data_set, &f), c->field)) {
        play_steps(&f, in_parts);
    }
    close_flow(&f);
}

static void clear_bricks_of_values_stay_out_of_memory(void)
{
    test_case(&cases[0], false);
}

static void clear_bricks_of_derivatives_stay_out_of_memory(void)
{
    test_case(&cases[1], false);
}

static void parts_are_enough_for_values(void)
{
    test_case(&cases[0], true);
}

static void parts_are_enough_for_derivatives(void)
{
    test_case(&cases[1], true);
}

/* Some bricks, and then the rest. */
typedef struct early_bricks {
    const flow *flow;
    int64_t end; /* the end of the wanted numbers */
} early_bricks;

static bool is_early(const void *context, const grid_brick *brick)
{
    const early_bricks *early = context;
    return brick->number < early->end;
}

static grid_brick_place find_early_part(const void *context, const grid_brick *brick)
{
    const early_bricks *early = context;
    return find_part(early->flow, brick);
}

/* Rays may enter folded cells again. So a rank with such cells has whole bricks, also if
 * parts were loaded first. */
static void load_folded(const flow *f)
{
    early_bricks early = {f, f->layout->nbricks / 2};
    const io_load_filter filter = {is_early, find_early_part, &early};
    check_ok(io_load_field(MPI_COMM_WORLD, f->source, f->recipe, 0, f->all), "field");
    for (int n = 0; n < 2; n++) {
        check_ok(
            io_load_wanted(MPI_COMM_WORLD, f->source, f->recipe, 0, &filter, f->later),
            "wanted field");
        check(!grid_store_has_folds(f->later) || !grid_store_has_parts(f->later),
              "there are folds, and parts of bricks");
        early.end = f->layout->nbricks;
    }
    int64_t forgotten = f->later->times_forgotten, all = 0;
    parallel_allreduce(&forgotten, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    check((all > 0) == (parallel_size(MPI_COMM_WORLD) > 1),
          "ranks have forgotten their parts %lld times", (long long)all);
    for (int64_t slot = 0; slot < f->later->nbricks; slot++) {
        const grid_brick *found = &f->later->bricks[slot];
        check(found->vertex && is_same_brick(&f->all->bricks[slot], found),
              "brick %lld is another one", (long long)found->number);
    }
    compare_pictures(f, false, 2);
}

static void folded_bricks_stay_whole(void)
{
    flow f = {0};
    if (check_ok(open_flow(&folded_case, folded_data_set, &f), "the folded grid")) {
        load_folded(&f);
    }
    close_flow(&f);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_later DATA_SET FOLDED_DATA_SET\n");
        return EXIT_FAILURE;
    }
    data_set = argv[1];
    folded_data_set = argv[2];
    run_test("clear bricks of values stay out of memory",
             clear_bricks_of_values_stay_out_of_memory);
    run_test("clear bricks of derivatives stay out of memory",
             clear_bricks_of_derivatives_stay_out_of_memory);
    run_test("parts are enough for values", parts_are_enough_for_values);
    run_test("parts are enough for derivatives", parts_are_enough_for_derivatives);
    run_test("folded bricks stay whole", folded_bricks_stay_whole);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
