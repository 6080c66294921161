/*
 * Bricks that show nothing stay out of memory, and no picture tells.
 *
 *   test_later DATA_SET
 *
 * Every rank draws its part of a flow twice, step after step: from all its bricks, each
 * picture from the start; and from those bricks that came into memory as they were
 * needed, in one scene. Pictures, counts and bricks must be the same to the last bit.
 */
#include "test_io_support.h"

#include "grid/partition.h"
#include "grid/priority.h"
#include "render/volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48 };

static const char *data_set;

/* What is drawn, mostly clear. */
typedef struct later_case {
    const char *field;
    double range[2];
    double opacities[3][2];
} later_case;

/* Of the first every value stands for itself; the second is made of derivatives. */
static const later_case cases[] = {
    {"pressure", {-1.6, 0.5}, {{0.0, 0.9}, {0.55, 0.2}, {0.6, 0.0}}},
    {"vorticity_magnitude", {0.0, 3.0}, {{0.75, 0.0}, {0.8, 0.3}, {1.0, 0.9}}},
};

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
        s = grid_partition_bricks(f->layout, f->box, &count, &numbers);
    }
    const grid_location location = grid_recipe_location(f->recipe);
    s = parallel_agree(MPI_COMM_WORLD, s);
    if (s == STATUS_OK) {
        s = io_load_bricks(MPI_COMM_WORLD, f->source, f->layout, count, numbers, location,
                           &f->all);
    }
    if (s == STATUS_OK) {
        s = io_load_later(MPI_COMM_WORLD, f->layout, count, numbers, location, &f->later);
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
    const render_view view = {.position = vec3_make(3.0, -22.0, 14.0),
                              .look_at = vec3_make(6.0, 0.0, 1.5),
                              .up = vec3_make(0.0, 0.0, 1.0),
                              .fov = 35.0};
    status s = render_transfer_create(&points, &f->transfer);
    return s == STATUS_OK
               ? render_camera_create(&view, WIDTH, HEIGHT, f->layout->origin, &f->camera)
               : s;
}

static status open_flow(const later_case *c, flow *f)
{
    const io_data_config config = {.file = (char *)data_set};
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

static bool is_same_brick(const grid_brick *a, const grid_brick *b)
{
    const int *n = a->place.n;
    size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    return memcmp(a->vertex, b->vertex, vertices * sizeof *a->vertex) == 0 &&
           memcmp(a->flags, b->flags, vertices) == 0 && a->windings == b->windings;
}

/* What became of the bricks at a step, summed over ranks. */
typedef struct brick_counts {
    int64_t held, loaded, shown;
} brick_counts;

/* Compares bricks that are in memory; those that show something must be. */
static brick_counts compare_bricks(const flow *f)
{
    brick_counts mine = {.held = f->later->nbricks}, sum;
    for (int64_t slot = 0; slot < f->later->nbricks; slot++) {
        const grid_brick *a = &f->all->bricks[slot], *b = &f->later->bricks[slot];
        check(a->has_range == b->has_range && a->range[0] == b->range[0] &&
                  a->range[1] == b->range[1],
              "brick %lld: the range is another one", (long long)b->number);
        bool is_shown = shows(f, b);
        check(b->vertex || !is_shown, "brick %lld shows something and is not loaded",
              (long long)b->number);
        check(!b->vertex || is_same_brick(a, b), "brick %lld is another one",
              (long long)b->number);
        mine.loaded += b->vertex != NULL;
        mine.shown += is_shown;
    }
    parallel_allreduce(&mine, &sum, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Draws with and without depth; all bricks must be in memory for depth. */
static void compare_pictures(const flow *f, bool with_depth, int threads)
{
    const render_style style = {.method = RENDER_AUTO};
    image *a = NULL, *b = NULL;
    render_counters one, two;
    if (check_ok(image_create(WIDTH, HEIGHT, with_depth, &a), "image") &&
        check_ok(image_create(WIDTH, HEIGHT, with_depth, &b), "image") &&
        check_ok(
            render_volume(&style, f->all, f->transfer, &f->camera, f->box, 1, a, &one),
            "drawing all bricks") &&
        check_ok(render_scene_draw(f->scene, &style, f->transfer, &f->camera, f->box,
                                   threads, b, &two),
                 "drawing a scene")) {
        size_t pixels = (size_t)image_pixel_count(a);
        check(memcmp(a->rgba, b->rgba, 4 * pixels * sizeof *a->rgba) == 0,
              "the pictures differ");
        check(!with_depth || memcmp(a->depth, b->depth, pixels * sizeof *a->depth) == 0,
              "the depths differ");
        check(one.crossings == two.crossings && one.rays == two.rays &&
                  one.lost_rays == 0 && two.lost_rays == 0,
              "%lld crossings of %lld rays are expected, not %lld of %lld",
              (long long)one.crossings, (long long)one.rays, (long long)two.crossings,
              (long long)two.rays);
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

/* All steps, and the first once more: bricks come to show something, and cease to. */
static void play_steps(const flow *f)
{
    const io_load_filter filter = {shows, f};
    const int steps = io_source_step_count(f->source);
    brick_counts first = {0}, now = {0};
    for (int n = 0; n <= steps; n++) {
        now = do_step(f, n % steps, &filter);
        first = n == 0 ? now : first;
        check(4 * now.loaded < 3 * now.held, "%lld bricks of %lld are loaded",
              (long long)now.loaded, (long long)now.held);
    }
    check(first.loaded == first.shown && first.loaded > 0,
          "at first %lld bricks are loaded, though %lld show something",
          (long long)first.loaded, (long long)first.shown);
    check(now.shown == first.shown && now.loaded > first.loaded,
          "in the end %lld bricks are loaded, %lld at first: none came later",
          (long long)now.loaded, (long long)first.loaded);
    now = do_step(f, 0, NULL);
    check(now.loaded == now.held, "%lld bricks of %lld are loaded where all are wanted",
          (long long)now.loaded, (long long)now.held);
    compare_pictures(f, true, 2);
    compare_pictures(f, false, 2);
}

static void test_case(const later_case *c)
{
    flow f = {0};
    if (check_ok(open_flow(c, &f), c->field)) {
        play_steps(&f);
    }
    close_flow(&f);
}

static void clear_bricks_of_values_stay_out_of_memory(void)
{
    test_case(&cases[0]);
}

static void clear_bricks_of_derivatives_stay_out_of_memory(void)
{
    test_case(&cases[1]);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 2) {
        fprintf(stderr, "usage: test_later DATA_SET\n");
        return EXIT_FAILURE;
    }
    data_set = argv[1];
    run_test("clear bricks of values stay out of memory",
             clear_bricks_of_values_stay_out_of_memory);
    run_test("clear bricks of derivatives stay out of memory",
             clear_bricks_of_derivatives_stay_out_of_memory);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
