#include "scene.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "messages/simulate/frame.h"

#include <stdlib.h>
#include <string.h>

/* ---- Ranks ------------------------------------------------------------------------- */

/* Numbers the nodes of the ranks, by their first ranks. Collective. */
static void number_nodes(MPI_Comm comm, int ranks, int *numbers)
{
    MPI_Comm node;
    int count = 0;
    parallel_split_nodes(comm, &node);
    parallel_number_nodes(comm, node, numbers);
    MPI_Comm_free(&node);
    for (int r = 0; r < ranks; r++) {
        numbers[r] = numbers[r] == r ? count++ : numbers[numbers[r]];
    }
}

static int count_nodes(const tune_scene *scene)
{
    int nodes = 0;
    for (int r = 0; r < scene->ranks; r++) {
        nodes = scene->number[r] >= nodes ? scene->number[r] + 1 : nodes;
    }
    return nodes;
}

/* Keeps the ranks of a node together: with nodes 0, 1 and 2, and node 0 at 1, the order
 * is 2, 0, 1. */
static void order_ranks(tune_scene *scene, int at)
{
    const int nodes = count_nodes(scene);
    int position = 0;
    for (int n = 0; n < nodes; n++) {
        for (int r = 0; r < scene->ranks; r++) {
            if (scene->number[r] == (n + nodes - at) % nodes) {
                scene->order[position++] = r;
            }
        }
    }
}

/* Takes the order of a frame: ranks.position of the last one in its timings. */
static status read_order(const tune_scene *scene)
{
    json_t *timings = NULL;
    status s = simulate_frame_load(scene->picture.timings, &timings);
    if (s != STATUS_OK) {
        return s;
    }
    const json_t *frames = json_object_get(timings, "frames");
    const json_t *frame = json_array_get(frames, json_array_size(frames) - 1);
    const json_t *positions =
        json_object_get(json_object_get(frame, "ranks"), "position");
    int found = 0;
    for (int r = 0; r < scene->ranks; r++) {
        const json_int_t at = json_integer_value(json_array_get(positions, (size_t)r));
        if (at >= 0 && at < scene->ranks) {
            scene->order[at] = r;
            found++;
        }
    }
    json_decref(timings);
    return found == scene->ranks
               ? STATUS_OK
               : base_fail(
                     STATUS_INPUT,
                     "the frame has no visibility order: tuning needs a config with "
                     "'partition: object'");
}

/* ---- Active pixels ----------------------------------------------------------------- */

static status make_activity(tune_scene *scene)
{
    const tune_picture *picture = &scene->picture;
    switch (picture->activity) {
    case TUNE_KD:
        return simulate_activity_kd(picture->width, picture->height, scene->ranks,
                                    &scene->activity);
    case TUNE_FRAME:
        return scene->rank == 0
                   ? simulate_frame_activity(picture->timings, picture->width,
                                             picture->height, scene->ranks,
                                             &scene->activity)
                   : simulate_activity_create(picture->width, picture->height,
                                              scene->ranks, &scene->activity);
    default:
        return STATUS_OK;
    }
}

/* The rows of a band: [y0, y1). */
static pixel_rect band_rows(const tune_scene *scene, int band)
{
    const int height = scene->picture.height;
    return (pixel_rect){0, (int)composite_share_begin(height, SIMULATE_BANDS, band),
                        scene->picture.width,
                        (int)composite_share_begin(height, SIMULATE_BANDS, band + 1)};
}

/* The rectangle of a position's active pixels. */
static pixel_rect find_bounds(const tune_scene *scene, int position)
{
    pixel_rect bounds = {0, 0, 0, 0};
    if (!scene->activity.spans) {
        return (pixel_rect){0, 0, scene->picture.width, scene->picture.height};
    }
    const simulate_span *spans =
        simulate_activity_spans((simulate_activity *)&scene->activity, position);
    for (int band = 0; band < SIMULATE_BANDS; band++) {
        pixel_rect rows = band_rows(scene, band);
        rows.x0 = spans[band].left;
        rows.x1 = spans[band].right;
        if (!pixel_rect_is_empty(rows)) {
            pixel_rect_grow(&bounds, rows);
        }
    }
    return bounds;
}

static void find_share(tune_scene *scene)
{
    double shown = 0;
    for (int q = 0; q < scene->ranks; q++) {
        const pixel_rect r = find_bounds(scene, q);
        shown += (double)(r.x1 - r.x0) * (r.y1 - r.y0);
    }
    const double all = (double)scene->picture.width * scene->picture.height;
    scene->share = shown / (all * scene->ranks);
}

/* ---- The scene --------------------------------------------------------------------- */

static status reserve(tune_scene *scene)
{
    const size_t ranks = (size_t)scene->ranks;
    scene->order = malloc(ranks * sizeof *scene->order);
    scene->node = malloc(ranks * sizeof *scene->node);
    scene->number = malloc(ranks * sizeof *scene->number);
    return scene->order && scene->node && scene->number
               ? STATUS_OK
               : base_fail_memory(ranks * sizeof(int), "a scene");
}

/* Tells all ranks the frame that rank 0 has read. Collective. */
static void share_frame(tune_scene *scene)
{
    for (int q = 0; q < scene->ranks; q++) {
        parallel_bcast(simulate_activity_spans(&scene->activity, q),
                       SIMULATE_BANDS * (int)sizeof(simulate_span), MPI_BYTE, 0,
                       scene->comm);
    }
    parallel_bcast(scene->order, scene->ranks, MPI_INT, 0, scene->comm);
    simulate_activity_finish(&scene->activity);
}

/* Finds order and active pixels. Rank 0 is in the middle, as in most views. Collective.
 */
static status find_images(tune_scene *scene)
{
    const bool is_frame = scene->picture.activity == TUNE_FRAME;
    order_ranks(scene, count_nodes(scene) / 2);
    status s = make_activity(scene);
    if (s == STATUS_OK && is_frame && scene->rank == 0) {
        s = read_order(scene);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && is_frame) {
        share_frame(scene);
    }
    return s;
}

/* This rank's position, and its pixels. */
static void find_position(tune_scene *scene)
{
    for (int q = 0; q < scene->ranks; q++) {
        scene->position = scene->order[q] == scene->rank ? q : scene->position;
    }
    scene->bounds = find_bounds(scene, scene->position);
}

void tune_scene_turn(tune_scene *scene, int at)
{
    if (scene->picture.activity != TUNE_FRAME) {
        order_ranks(scene, at);
        find_position(scene);
    }
}

/* The teams by the order, and all that follows. Local. */
static status place(tune_scene *scene)
{
    for (int q = 0; q < scene->ranks; q++) {
        scene->node[q] = scene->number[scene->order[q]];
    }
    find_position(scene);
    find_share(scene);
    return composite_nodes_find(scene->ranks, scene->node, &scene->nodes);
}

status tune_scene_create(MPI_Comm comm, const tune_picture *picture, tune_scene *out)
{
    tune_scene scene = {.comm = comm,
                        .rank = parallel_rank(comm),
                        .ranks = parallel_size(comm),
                        .picture = *picture};
    status s = parallel_agree(comm, reserve(&scene));
    if (s == STATUS_OK) {
        number_nodes(comm, scene.ranks, scene.number);
        s = find_images(&scene);
    }
    s = s == STATUS_OK ? parallel_agree(comm, place(&scene)) : s;
    if (s != STATUS_OK) {
        tune_scene_clear(&scene);
        return s;
    }
    *out = scene;
    return STATUS_OK;
}

void tune_scene_clear(tune_scene *scene)
{
    free(scene->order);
    free(scene->node);
    free(scene->number);
    composite_nodes_clear(&scene->nodes);
    simulate_activity_clear(&scene->activity);
    *scene = (tune_scene){0};
}

int tune_scene_root(const tune_scene *scene)
{
    int position = 0;
    while (scene->order[position] != 0) {
        position++;
    }
    return position;
}

/* Fills pixels [x0, x1) of a row, half transparent. */
static void fill_row(image *img, int y, int x0, int x1)
{
    float *rgba = img->rgba + 4 * image_at(img, x0, y);
    for (int n = 0; n < 4 * (x1 - x0); n++) {
        rgba[n] = n % 4 == 3 ? 0.5f : 0.25f;
    }
}

void tune_scene_draw(const tune_scene *scene, image *img)
{
    const bool is_dense = !scene->activity.spans;
    const simulate_span *spans =
        is_dense ? NULL
                 : simulate_activity_spans((simulate_activity *)&scene->activity,
                                           scene->position);
    for (int band = 0; band < SIMULATE_BANDS; band++) {
        pixel_rect rows = band_rows(scene, band);
        if (!is_dense) {
            const int width = spans[band].right - spans[band].left;
            rows.x0 = spans[band].left;
            rows.x1 = rows.x0 + (int)((int64_t)width * spans[band].fill / 65535);
        }
        for (int y = rows.y0; y < rows.y1 && rows.x0 < rows.x1; y++) {
            fill_row(img, y, rows.x0, rows.x1);
        }
    }
    img->active = scene->bounds;
}
