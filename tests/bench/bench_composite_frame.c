/*
 * The frames of the benchmark: what each rank's image holds, and the serial blend.
 *
 * Pixels come out of one table of random colours, from a place that depends on rank and
 * row: filling an image is as fast as copying memory, and yet a row or an image in the
 * wrong place shows.
 */
#include "bench_composite.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "base/vec.h"
#include "render/view/camera.h"
#include "render/view/finish.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const float bench_background[3] = {0.25f, 0.5f, 1.0f};

/* ---- The k-d tree ------------------------------------------------------------------ */

/* Boxes of the ranks and their visibility order, while the tree is descended. */
typedef struct kd_split {
    vec3 eye;
    int *nodes; /* [ranks]: of the ranks; those of a node have one subtree, as karman's */
    box3 *boxes; /* [ranks] */
    int *order;
    int visited; /* entries of order so far */
} kd_split;

static int longest_axis(box3 box)
{
    vec3 size = vec3_sub(box.hi, box.lo);
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        axis = size.v[a] > size.v[axis] ? a : axis;
    }
    return axis;
}

/* Ranks below a cut of [first, first + count): half, or whole nodes next to half. */
static int choose_below(const kd_split *split, int first, int count)
{
    const int *nodes = split->nodes + first;
    int best = -count;
    for (int n = 1; n < count; n++) {
        if (nodes[n] != nodes[n - 1] && abs(n - count / 2) < abs(best - count / 2)) {
            best = n;
        }
    }
    return best > 0 ? best : count / 2;
}

/* Gives box to ranks [first, first + count), those on the eye's side of a cut in front.
 */
static void split_box(kd_split *split, box3 box, int first, int count)
{
    if (count == 1) {
        split->boxes[first] = box;
        split->order[split->visited++] = first;
        return;
    }
    int axis = longest_axis(box), below = choose_below(split, first, count);
    double length = box.hi.v[axis] - box.lo.v[axis];
    double cut = box.lo.v[axis] + length * below / count;
    box3 low = box, high = box;
    low.hi.v[axis] = cut;
    high.lo.v[axis] = cut;
    if (split->eye.v[axis] < cut) {
        split_box(split, low, first, below);
        split_box(split, high, first + below, count - below);
    } else {
        split_box(split, high, first + below, count - below);
        split_box(split, low, first, below);
    }
}

/* ---- Footprints -------------------------------------------------------------------- */

/* The corners of a box in pixels, [8][2]. */
static void project_corners(const render_camera *camera, box3 box, double corners[8][2])
{
    double scale = 0.5 * camera->height / camera->scale;
    for (int c = 0; c < 8; c++) {
        vec3 point = vec3_make(c & 1 ? box.hi.v[0] : box.lo.v[0],
                               c & 2 ? box.hi.v[1] : box.lo.v[1],
                               c & 4 ? box.hi.v[2] : box.lo.v[2]);
        vec3 ray = vec3_sub(point, camera->eye);
        double depth = vec3_dot(ray, camera->forward);
        corners[c][0] =
            0.5 * camera->width + vec3_dot(ray, camera->right) / depth * scale;
        corners[c][1] = 0.5 * camera->height - vec3_dot(ray, camera->up) / depth * scale;
    }
}

static int clamp_column(double x, int width)
{
    return x <= 0.0 ? 0 : x >= width ? width : (int)x;
}

/* Columns whose centres lie in the convex hull of the corners at height y. What a line
 * cuts out of a convex hull ends where it meets some line between two of the points. */
static bench_span hull_span(double corners[8][2], double y, int width)
{
    double least = INFINITY, most = -INFINITY;
    for (int a = 0; a < 8; a++) {
        for (int b = 0; b < 8; b++) {
            if (corners[a][1] <= y && corners[b][1] > y) {
                double way = (y - corners[a][1]) / (corners[b][1] - corners[a][1]);
                double x = corners[a][0] + way * (corners[b][0] - corners[a][0]);
                least = fmin(least, x);
                most = fmax(most, x);
            }
        }
    }
    if (least > most) {
        return (bench_span){0, 0};
    }
    return (bench_span){clamp_column(ceil(least - 0.5), width),
                        clamp_column(ceil(most - 0.5), width)};
}

static void grow_bounds(pixel_rect *bounds, bench_span span, int row)
{
    if (span.x0 >= span.x1) {
        return;
    }
    if (pixel_rect_is_empty(*bounds)) {
        *bounds = (pixel_rect){span.x0, row, span.x1, row + 1};
        return;
    }
    bounds->x0 = span.x0 < bounds->x0 ? span.x0 : bounds->x0;
    bounds->x1 = span.x1 > bounds->x1 ? span.x1 : bounds->x1;
    bounds->y1 = row + 1;
}

static void make_footprint(bench_frame *frame, const render_camera *camera, int rank,
                           box3 box)
{
    int side = frame->shape.side;
    double corners[8][2];
    project_corners(camera, box, corners);
    frame->bounds[rank] = (pixel_rect){0, 0, 0, 0};
    for (int row = 0; row < side; row++) {
        bench_span span = {0, side};
        if (!frame->shape.dense) {
            span = hull_span(corners, row + 0.5, side);
        }
        frame->spans[(int64_t)rank * side + row] = span;
        grow_bounds(&frame->bounds[rank], span, row);
    }
}

/* Collective. */
static void find_nodes(MPI_Comm comm, int *nodes)
{
    MPI_Comm node;
    parallel_split_nodes(comm, &node);
    parallel_number_nodes(comm, node, nodes);
    MPI_Comm_free(&node);
}

/* A cube seen so that it fills about as much of the picture as a data set that is looked
 * at as a whole. */
static status make_footprints(bench_frame *frame)
{
    render_view view = {.position = vec3_make(-3.1, -5.2, 3.4), /* from the middle */
                        .look_at = vec3_make(0.0, 0.0, 0.0),
                        .up = vec3_make(0.0, 0.0, 1.0),
                        .fov = 30.0};
    render_camera camera;
    box3 cube = {vec3_make(-1.0, -1.0, -1.0), vec3_make(1.0, 1.0, 1.0)};
    size_t bytes = (sizeof(box3) + sizeof(int)) * (size_t)frame->ranks;
    kd_split split = {.eye = view.position,
                      .nodes = malloc(sizeof(int) * (size_t)frame->ranks),
                      .boxes = malloc(sizeof(box3) * (size_t)frame->ranks),
                      .order = frame->order};
    if (!split.boxes || !split.nodes) {
        free(split.boxes);
        free(split.nodes);
        return base_fail_memory(bytes, "the boxes of the ranks");
    }
    find_nodes(frame->comm, split.nodes);
    status s = render_camera_create(&view, frame->shape.side, frame->shape.side,
                                    vec3_make(0.0, 0.0, 0.0), &camera);
    if (s == STATUS_OK) {
        split_box(&split, cube, 0, frame->ranks);
        for (int rank = 0; rank < frame->ranks; rank++) {
            make_footprint(frame, &camera, rank, split.boxes[rank]);
        }
    }
    free(split.boxes);
    free(split.nodes);
    return s;
}

/* How much of the picture, and of an image, is active. */
static void measure_footprints(bench_frame *frame)
{
    int side = frame->shape.side;
    int64_t pixels = 0, covered = 0;
    for (int row = 0; row < side; row++) {
        memset(frame->row, 0, sizeof(float) * (size_t)side);
        for (int rank = 0; rank < frame->ranks; rank++) {
            bench_span span = frame->spans[(int64_t)rank * side + row];
            for (int x = span.x0; x < span.x1; x++) {
                covered += frame->row[x] == 0.0f;
                frame->row[x] = 1.0f;
                pixels++;
            }
        }
    }
    double all = (double)side * side;
    frame->covered = (double)covered / all;
    frame->share = (double)pixels / all / frame->ranks;
}

/* ---- Pixels ------------------------------------------------------------------------ */

/* A bijection of 32 bits that leaves no pattern (the finalizer of MurmurHash3, A.
 * Appleby). */
static uint32_t scramble(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

/* Where in the table the pixels of a row of a rank's image begin. */
static int64_t row_offset(int rank, int row)
{
    return scramble((uint32_t)rank * 65536u + (uint32_t)row + 1u) % BENCH_COLOURS;
}

/* Alpha is above 0 and so small that what is behind 32 images still counts; colours are
 * premultiplied. */
static void make_colours(bench_frame *frame)
{
    for (int i = 0; i < BENCH_COLOURS + frame->shape.side; i++) {
        uint32_t bits = scramble(0x9e3779b9u + (uint32_t)i);
        float *rgba = frame->colours + 4 * (int64_t)i;
        rgba[3] = 0.02f + 0.25f * (float)(bits & 255u) / 255.0f;
        for (int c = 0; c < 3; c++) {
            rgba[c] = rgba[3] * (float)(bits >> (8 * (c + 1)) & 255u) / 255.0f;
        }
        frame->depths[i] = (uint16_t)(scramble(bits + 1u) >> 16);
    }
}

/* Depths of two ranks never tie: they differ in the lowest digit. Exact in a float. */
static float pixel_depth(const bench_frame *frame, int rank, int64_t entry)
{
    return (float)(1 + rank + 128 * (int)frame->depths[entry]);
}

static void fill_row(const bench_frame *frame, int row, image *img)
{
    bench_span span = frame->spans[(int64_t)frame->rank * img->width + row];
    int64_t entry = row_offset(frame->rank, row) + span.x0;
    int64_t pixel = (int64_t)row * img->width + span.x0;
    int64_t count = span.x1 - span.x0;
    memcpy(img->rgba + 4 * pixel, frame->colours + 4 * entry,
           4 * sizeof(float) * (size_t)count);
    for (int64_t i = 0; img->depth && i < count; i++) {
        img->depth[pixel + i] = pixel_depth(frame, frame->rank, entry + i);
    }
}

void bench_frame_fill(const bench_frame *frame, image *img)
{
    if (!frame->shape.dense) {
        image_clear(img);
    }
    img->active = frame->bounds[frame->rank];
    for (int row = img->active.y0; row < img->active.y1; row++) {
        fill_row(frame, row, img);
    }
}

/* ---- The serial blend -------------------------------------------------------------- */

static void blend_over(int count, const float *back, float *front)
{
    for (int i = 0; i < count; i++) {
        float rest = 1.0f - front[4 * i + 3];
        for (int c = 0; c < 4; c++) {
            front[4 * i + c] += rest * back[4 * i + c];
        }
    }
}

static void blend_nearest(const bench_frame *frame, int rank, int64_t entry,
                          bench_span span)
{
    for (int x = span.x0; x < span.x1; x++, entry++) {
        float depth = pixel_depth(frame, rank, entry);
        if (depth < frame->row_depth[x]) {
            frame->row_depth[x] = depth;
            memcpy(frame->row + 4 * x, frame->colours + 4 * entry, 4 * sizeof(float));
        }
    }
}

/* Leaves row `row` of the picture in frame->row: image by image, front to back. */
static void blend_row(const bench_frame *frame, int row)
{
    int side = frame->shape.side;
    memset(frame->row, 0, 4 * sizeof(float) * (size_t)side);
    for (int x = 0; x < side; x++) {
        frame->row_depth[x] = INFINITY;
    }
    for (int position = 0; position < frame->ranks; position++) {
        int rank = frame->order[position];
        bench_span span = frame->spans[(int64_t)rank * side + row];
        int64_t entry = row_offset(rank, row) + span.x0;
        if (frame->shape.op == COMPOSITE_NEAREST) {
            blend_nearest(frame, rank, entry, span);
        } else if (span.x0 < span.x1) {
            blend_over(span.x1 - span.x0, frame->colours + 4 * entry,
                       frame->row + 4 * span.x0);
        }
    }
}

static bool is_close(const float *expected, const float *found)
{
    for (int c = 0; c < 4; c++) {
        if (!(fabsf(expected[c] - found[c]) <= 1e-5f)) {
            return false;
        }
    }
    return true;
}

bool bench_frame_check_floats(const bench_frame *frame, const char *what, int64_t pix0,
                              int64_t npix, const float *rgba)
{
    int side = frame->shape.side;
    for (int64_t i = 0; i < npix; i++) {
        int64_t pixel = pix0 + i;
        int row = (int)(pixel / side), x = (int)(pixel % side);
        if (i == 0 || x == 0) {
            blend_row(frame, row);
        }
        const float *e = frame->row + 4 * x, *f = rgba + 4 * i;
        if (!is_close(e, f)) {
            fprintf(stderr,
                    "bench_composite: %s: rank %d has (%g %g %g %g) at column %d, row "
                    "%d: expected (%g %g %g %g)\n",
                    what, frame->rank, f[0], f[1], f[2], f[3], x, row, e[0], e[1], e[2],
                    e[3]);
            return false;
        }
    }
    return true;
}

bool bench_frame_check_bytes(const bench_frame *frame, const char *what,
                             const unsigned char *rgb)
{
    int side = frame->shape.side;
    for (int row = 0; row < side; row++) {
        /* Free once the row is blended, and wide enough: three bytes for four. */
        unsigned char *expected = (unsigned char *)frame->row_depth;
        const unsigned char *found = rgb + 3 * (int64_t)row * side;
        blend_row(frame, row);
        render_finish_rgb8(side, frame->row, bench_background, expected);
        for (int i = 0; i < 3 * side; i++) {
            if (abs(expected[i] - found[i]) > 1) {
                fprintf(stderr,
                        "bench_composite: %s: byte %d of column %d, row %d is %d: "
                        "expected %d\n",
                        what, i % 3, i / 3, row, found[i], expected[i]);
                return false;
            }
        }
    }
    return true;
}

/* ---- Making and freeing ------------------------------------------------------------ */

static status allocate(bench_frame *frame)
{
    size_t ranks = (size_t)frame->ranks, side = (size_t)frame->shape.side;
    size_t entries = BENCH_COLOURS + side;
    frame->order = malloc(ranks * sizeof *frame->order);
    frame->spans = malloc(ranks * side * sizeof *frame->spans);
    frame->bounds = malloc(ranks * sizeof *frame->bounds);
    frame->colours = malloc(entries * 4 * sizeof *frame->colours);
    frame->depths = malloc(entries * sizeof *frame->depths);
    frame->row = malloc(side * 4 * sizeof *frame->row);
    frame->row_depth = malloc(side * sizeof *frame->row_depth);
    bool have = frame->order && frame->spans && frame->bounds && frame->colours &&
                frame->depths && frame->row && frame->row_depth;
    return have ? STATUS_OK : base_fail_memory(entries * 16, "a frame");
}

status bench_frame_create(MPI_Comm comm, bench_shape shape, bench_frame **out)
{
    enum { MOST_RANKS = 127 }; /* by nearest depth: see pixel_depth */
    int ranks = parallel_size(comm);
    if (shape.op == COMPOSITE_NEAREST && ranks > MOST_RANKS) {
        return base_fail(STATUS_USAGE,
                         "frames with depth are for up to %d ranks: give fewer than %d",
                         MOST_RANKS, ranks);
    }
    bench_frame *frame = calloc(1, sizeof *frame);
    if (!frame) {
        return base_fail_memory(sizeof *frame, "a frame");
    }
    frame->comm = comm;
    frame->rank = parallel_rank(comm);
    frame->ranks = ranks;
    frame->shape = shape;
    status s = allocate(frame);
    if (s == STATUS_OK) {
        s = make_footprints(frame);
    }
    if (s != STATUS_OK) {
        bench_frame_destroy(&frame);
        return s;
    }
    measure_footprints(frame);
    make_colours(frame);
    *out = frame;
    return STATUS_OK;
}

void bench_frame_destroy(bench_frame **frame)
{
    bench_frame *f = *frame;
    if (!f) {
        return;
    }
    free(f->order);
    free(f->spans);
    free(f->bounds);
    free(f->colours);
    free(f->depths);
    free(f->row);
    free(f->row_depth);
    free(f);
    *frame = NULL;
}

int64_t bench_frame_active(const bench_frame *frame, int rank)
{
    const int side = frame->shape.side;
    const bench_span *spans = frame->spans + (size_t)rank * (size_t)side;
    int64_t count = 0;
    for (int y = 0; y < side; y++) {
        count += spans[y].x1 > spans[y].x0 ? spans[y].x1 - spans[y].x0 : 0;
    }
    return count;
}

void bench_frame_be_late(const bench_frame *frame, void (*pause)(void *context),
                         void *context)
{
    const bench_shape *shape = &frame->shape;
    const double until = base_clock() + 1e-3 * shape->late_milliseconds;
    if (frame->rank != shape->late_rank) {
        return;
    }
    while (base_clock() < until) {
        const struct timespec tile = {.tv_nsec = 1000000};
        nanosleep(&tile, NULL);
        if (pause) {
            pause(context);
        }
    }
}
