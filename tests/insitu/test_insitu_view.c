/*
 * Views of data: a picture of data under data.transform is that of data that the program
 * has transformed itself, with vectors that are turned and derived fields that are not.
 * Rings without the repeated plane are drawn as if the program repeated it.
 *
 *   test_insitu_view FOLDER
 */
#include "library/karman.h"
#include "picture_difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 17, NJ = 9, NK = 13, PLANE = NI * NJ, FIELDS = 4 };

/* The map X = matrix x + shift, as the config and as the program have it. */
typedef struct view_case {
    const char *name, *transform;
    double matrix[3][3], shift[3];
    const char *camera;
} view_case;

#define C30 0.86602540378443865
static const view_case cases[] = {
    {"scale",
     "{scale: [1, 1, 20]}",
     {{1, 0, 0}, {0, 1, 0}, {0, 0, 20}},
     {0, 0, 0},
     "{position: [30, -60, 30], look_at: [4, 1, 12], projection: parallel, height: 36}"},
    {"reflect",
     "[{blocks: box, reflect: x}, {shift: [8, 0, 5]}]",
     {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     {8, 0, 5},
     "{position: [8, -20, 9], look_at: [4, 1, 5.6], fov: 25}"},
    {"rotate",
     "[{scale: [1, 2, 2]}, {rotate: {axis: [0, 0, 3], angle: 30, point: [1, 0, 0]}}]",
     {{C30, -1, 0}, {0.5, 2 * C30, 0}, {0, 0, 2}},
     {1 - C30, -0.5, 0},
     "{position: [10, -20, 12], look_at: [2, 4, 1], fov: 28}"},
};

/* Streamlines turn, texture along the flow too, and the vorticity of the data colours. */
static const char layers[] =
    "layers:\n"
    "  - object: {k: 0, color: [0.8, 0.8, 0.8], lic: {}}\n"
    "  - contour: {field: %s, j: 8, range: [-2, 0]}\n"
    "  - particles: {mode: stream, style: lines, line_width: 3, color: red, seeds: "
    "[{block: box, line: [[2, 4, 2], [2, 4, 10]], count: 5}]}\n";

static int rank, ranks;

/* A point or vector under the map of a case; NULL: as it is. */
static void map(const view_case *c, bool is_point, double v[3])
{
    double out[3];
    for (int r = 0; c && r < 3; r++) {
        out[r] = c->matrix[r][0] * v[0] + c->matrix[r][1] * v[1] +
                 c->matrix[r][2] * v[2] + (is_point ? c->shift[r] : 0.0);
    }
    if (c) {
        memcpy(v, out, sizeof out);
    }
}

/* Fills [6 + 1][size]: coordinates, velocity, and the vorticity along y of the data. */
static void fill(const view_case *c, int first, int size, double *values)
{
    for (int n = 0; n < size; n++) {
        const double i = n % NI, j = n / NI % NJ, k = first + n / PLANE;
        double point[3] = {0.5 * i, 0.2 * j + 0.01 * j * j, 0.1 * k};
        double vector[3] = {1.0, 0.02 * point[0], 0.01 * point[0] * point[0] - 0.03};
        values[6 * size + n] = -0.02 * point[0] * 10.0;
        map(c, true, point);
        map(c, false, vector);
        for (int axis = 0; axis < 3; axis++) {
            values[axis * size + n] = point[axis];
            values[(3 + axis) * size + n] = vector[axis] * 10.0;
        }
    }
}

/* Draws the data in a session; `mapped`: the program applies this map itself. */
static bool draw(const char *text, const view_case *mapped)
{
    static const char *const names[FIELDS] = {"velocity_x", "velocity_y", "velocity_z",
                                              "wy"};
    const int first = (NK - 1) * rank / ranks;
    const int planes = (NK - 1) * (rank + 1) / ranks - first + 1, size = PLANE * planes;
    double *values = malloc((size_t)(7 * size) * sizeof *values);
    karman_array array[7];
    karman_session *session = NULL;
    fill(mapped, first, size, values);
    for (int n = 0; n < 7; n++) {
        array[n] = (karman_array){.data = values + n * size, .type = KARMAN_FLOAT64};
    }
    const karman_block box = {.name = "box",
                              .size = {NI, NJ, NK},
                              .first = {0, 0, first},
                              .count = {NI, NJ, planes},
                              .x = array[0],
                              .y = array[1],
                              .z = array[2]};
    bool works = karman_open_text(MPI_COMM_WORLD, text, NULL, &session) == KARMAN_DONE;
    karman_set_block(session, 0, &box);
    for (int f = 0; f < FIELDS; f++) {
        karman_set_field(session, 0, names[f], KARMAN_VERTEX, &array[3 + f]);
    }
    works = works && karman_render(session, 0, 0.0) == KARMAN_DONE;
    if (!works && rank == 0) {
        printf("%s\n", karman_message());
    }
    karman_close(&session);
    free(values);
    return works;
}

/* Draws one picture: out/NAME.png. */
static bool draw_as(const char *folder, const char *name, const char *data,
                    const char *camera, const char *shown, const view_case *mapped)
{
    char text[2048];
    snprintf(text, sizeof text,
             "image: {width: 160, height: 120, background: white}\n"
             "data: {%s}\ncamera: %s\n%s"
             "output: {frames: '%s/%s-%d-%%d.png'}\n"
             "in_situ: {run: '%s/run-%d'}\n",
             data, camera, shown, folder, name, ranks, folder, ranks);
    return draw(text, mapped);
}

static bool are_same(const char *folder, const char *a, const char *b, int counts)
{
    char paths[2][512];
    const char *const names[2] = {a, b};
    for (int n = 0; n < 2; n++) {
        snprintf(paths[n], sizeof paths[n], "%s/%s-%d-0.png", folder, names[n], ranks);
    }
    return rank != 0 || same_pngs(paths[0], paths[1], counts, 0.02);
}

static bool check_case(const char *folder, const view_case *c)
{
    char data[256], mapped[64], as_data[1024], as_field[1024];
    snprintf(data, sizeof data, "transform: %s", c->transform);
    snprintf(mapped, sizeof mapped, "%s-mapped", c->name);
    snprintf(as_data, sizeof as_data, layers, "vorticity_y");
    snprintf(as_field, sizeof as_field, layers, "wy");
    return draw_as(folder, c->name, data, c->camera, as_data, NULL) &
           draw_as(folder, mapped, "", c->camera, as_field, c) &
           are_same(folder, c->name, mapped, 2);
}

/* Axes have the data's numbers wherever the view shifts the grid to. */
static bool check_axes(const char *folder)
{
    static const char shown[] = "layers: [{axes_box: {}}, {outline: {}}]\n";
    return draw_as(folder, "axes", "", "{position: [9, -14, 8], look_at: [4, 1, 0]}",
                   shown, NULL) &
           draw_as(folder, "axes-shifted", "transform: {shift: [100, 0, 0]}",
                   "{position: [109, -14, 8], look_at: [104, 1, 0]}", shown, NULL) &
           are_same(folder, "axes", "axes-shifted", 3);
}

/* ---- Rings ------------------------------------------------------------------------- */

/* A block of planes around the z axis, or one that only seems to be: its planes, the
 * angle between them, and whether karman closes it by itself and if the config names i.
 */
typedef struct ring_case {
    const char *name;
    int planes;
    double step;   /* degrees; 0: a C-grid */
    bool in_cells; /* the field that is shown lives in cells */
    bool closes[2];
} ring_case;

enum { RADII = 6, LAYERS = 3, MOST_PLANES = 32, MOST = MOST_PLANES * RADII * LAYERS };

static const ring_case rings[] = {
    {"ring", 24, 15.0, false, {true, true}},
    {"ring-cells", 24, 15.0, true, {false, true}},
    {"ring-ratio", 23, 15.65, false, {true, true}}, /* a gap of about a cell */
    {"ring-wide", 23, 15.0, false, {false, true}},  /* of two cells */
    {"ring-half", 13, 15.0, false, {false, false}},
    {"ring-c", 24, 0.0, false, {false, false}},
};

static const char ring_layers[] =
    "layers:\n"
    "  - contour: {field: %s, k: 1, range: [-2, 2], smooth: true}\n"
    "  - contour: {field: vorticity_z, k: 2, range: [0, 3], line_color: white, levels: "
    "5, "
    "style: lines}\n"
    "  - particles: {mode: stream, style: lines, line_width: 2, color: red, length: 6, "
    "seeds: [{points: [[1.5, 0.05, 0.1], [1, 0.5, 0.1]]}]}\n";

static void ring_point(const ring_case *c, int i, int j, double point[2])
{
    const double r = 1.0 + 0.2 * j, a = c->step * i * acos(-1.0) / 180.0;
    point[0] = r * cos(a), point[1] = r * sin(a);
    if (c->step == 0.0) { /* the wake, around the body, and back along the wake */
        const int side = i < 8 ? -1 : 1, far = i < 8 ? 8 - i : i - 15;
        const double turn = (i - 8) / 7.0 * acos(-1.0) - 0.5 * acos(-1.0);
        const bool is_wake = i < 8 || i > 15;
        point[0] = is_wake ? 0.3 * far : -r * 0.5 * cos(turn);
        point[1] = is_wake ? side * (0.15 + 0.2 * j) : r * 0.5 * sin(turn);
    }
}

/* Fills [7][planes * RADII * LAYERS]: x, y, z, velocity, s; cells of the latter. A plane
 * number `planes` repeats the first one. */
static void fill_ring(const ring_case *c, int planes, double values[7][MOST])
{
    const int cells = planes - 1;
    for (int n = 0; n < planes * RADII * LAYERS; n++) {
        const int i = n % planes % c->planes, j = n / planes % RADII;
        double point[2];
        ring_point(c, i, j, point);
        const double all[7] = {
            point[0], point[1], 0.1 * (n / planes / RADII),    -point[1],
            point[0], 0.0,      point[0] + point[1] * point[1]};
        for (int v = 0; v < 7; v++) {
            values[v][n] = all[v];
        }
    }
    for (int n = 0; c->in_cells && n < cells * (RADII - 1) * (LAYERS - 1); n++) {
        const int i = n % cells, j = n / cells % (RADII - 1);
        const double first = cos(0.5), last = cos(0.2 * (c->planes - 2) + 0.5);
        values[6][n] = i == c->planes - 1 ? 0.5 * (first + last) : cos(0.2 * i + 0.5);
        values[6][n] += 0.1 * j;
    }
}

/* Draws a ring with `planes` planes, which ranks share along i. */
static bool draw_ring(const char *folder, const ring_case *c, const char *name,
                      int planes, const char *data)
{
    static double values[7][MOST];
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z", "s"};
    const int64_t first = (planes - 1) * rank / ranks;
    const int64_t count = (planes - 1) * (rank + 1) / ranks - first + 1;
    char text[2048], shown[1024];
    karman_session *session = NULL;
    karman_array array[7];
    fill_ring(c, planes, values);
    for (int v = 0; v < 7; v++) {
        const int less = v == 6 && c->in_cells;
        array[v] = (karman_array){
            .data = values[v] + first,
            .type = KARMAN_FLOAT64,
            .stride = {1, planes - less, (planes - less) * (RADII - less)}};
    }
    const karman_block block = {.name = "ring",
                                .size = {planes, RADII, LAYERS},
                                .first = {first, 0, 0},
                                .count = {count, RADII, LAYERS},
                                .x = array[0],
                                .y = array[1],
                                .z = array[2]};
    snprintf(shown, sizeof shown, ring_layers, "s");
    snprintf(
        text, sizeof text,
        "image: {width: 120, height: 120, background: white}\n"
        "data: {%s}\ncamera: {position: [0, 0, 9], look_at: [0, 0, 0], up: [0, 1, 0], "
        "projection: parallel, height: 4.4}\n%s"
        "output: {frames: '%s/%s-%d-%%d.png'}\nin_situ: {run: '%s/run-%d'}\n",
        data, shown, folder, name, ranks, folder, ranks);
    bool works = karman_open_text(MPI_COMM_WORLD, text, NULL, &session) == KARMAN_DONE;
    karman_set_block(session, 0, &block);
    for (int f = 0; f < FIELDS; f++) {
        karman_set_field(session, 0, names[f],
                         f == 3 && c->in_cells ? KARMAN_ELEMENT : KARMAN_VERTEX,
                         &array[3 + f]);
    }
    works = works && karman_render(session, 0, 0.0) == KARMAN_DONE;
    karman_close(&session);
    return works;
}

/* A ring is drawn as one whose program repeats the plane; what is none stays as it is. */
static bool check_ring(const char *folder, const ring_case *c)
{
    static const char *const keys[2] = {"gas_constant: 1", "grid: {closed: i}"};
    bool works = true;
    for (int n = 0; n < 2; n++) {
        char name[64], other[64];
        snprintf(name, sizeof name, "%s-%d", c->name, n);
        snprintf(other, sizeof other, "%s-other-%d", c->name, n);
        const bool drawn = draw_ring(folder, c, name, c->planes, keys[n]);
        if (n == 1 && !c->closes[n]) {
            works &= !drawn; /* one sentence says that there is no gap to close */
            continue;
        }
        works &= drawn &
                 draw_ring(folder, c, other, c->planes + c->closes[n],
                           "grid: {closed: none}") &
                 are_same(folder, name, other, 1);
    }
    if (!works && rank == 0) {
        printf("FAILED: %s\n", c->name);
    }
    return works;
}

int main(int argc, char **argv)
{
    int provided, failures = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        failures += !check_case(argv[1], &cases[n]);
    }
    failures += !check_axes(argv[1]);
    for (size_t n = 0; n < sizeof rings / sizeof rings[0]; n++) {
        failures += !check_ring(argv[1], &rings[n]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures > 0;
}
