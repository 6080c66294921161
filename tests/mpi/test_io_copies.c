/* Copies of blocks: one passage as the ring, seams between copies, vectors. */
#include "base/log.h"
#include "datasets/write.h"
#include "io/source.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 5, NJ = 4, NK = 6, ALL = NI * NJ * NK };

static const double pi = 3.14159265358979323846;

/* ---- Small files ------------------------------------------------------------------- */

/* A sector about the z axis, or a box. Vertices of the last plane along j are moved by a
 * part of the edges there. */
typedef struct shape {
    double angle; /* degrees along j; 0: a box of 1 x 1 x 1 */
    double inner; /* radius of i = 0 */
    double gap;
} shape;

static vec3 point_at(const shape *s, int i, int j, int k)
{
    const double u = (double)i / (NI - 1), v = (double)j / (NJ - 1);
    const double off = j == NJ - 1 ? u * s->gap * sin(7.0 * i + 3.0 * k) / (NI - 1) : 0.0;
    const double r = s->inner + u + off, a = s->angle * v * pi / 180.0;
    const double z = (double)k / (NK - 1);
    return s->angle > 0.0 ? vec3_make(r * cos(a), r * sin(a), z)
                          : vec3_make(u + off, v, z);
}

/* Writes a shape with a velocity (1, 2, 3) and a vorticity (4, 5, 6). */
static void write_shape(const char *path, const shape *s)
{
    static const char *const names[] = {"/x", "/y", "/z"};
    static const char *const fields[] = {"/velocity_x",  "/velocity_y",  "/velocity_z",
                                         "/vorticity_x", "/vorticity_y", "/vorticity_z"};
    const hsize_t dims[3] = {NK, NJ, NI};
    double values[ALL];
    hid_t file = file_create(path);
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n < ALL; n++) {
            values[n] = point_at(s, n % NI, n / NI % NJ, n / NI / NJ).v[c];
        }
        file_write(file, names[c], H5T_IEEE_F64LE, 3, dims, values);
    }
    for (int f = 0; f < 6; f++) {
        for (int n = 0; n < ALL; n++) {
            values[n] = f + 1;
        }
        file_write(file, fields[f], H5T_IEEE_F32LE, 3, dims, values);
    }
    H5Fclose(file);
}

static void name_field(int field, char name[16])
{
    snprintf(name, 16, "%s_%c", field < 3 ? "velocity" : "vorticity", "xyz"[field % 3]);
}

static status open_shape(const shape *s, int ncopies, grid_copies *copies,
                         io_source **source)
{
    static char names[6][16], paths[6][16];
    const char *path = test_path("shape.h5");
    io_field_path fields[6];
    for (int f = 0; f < 6; f++) {
        name_field(f, names[f]);
        snprintf(paths[f], sizeof paths[f], "/%s", names[f]);
        fields[f] = (io_field_path){names[f], paths[f]};
    }
    const io_data_config config = {.file = (char *)(uintptr_t)path,
                                   .grid_x = "/x",
                                   .grid_y = "/y",
                                   .grid_z = "/z",
                                   .nfields = 6,
                                   .fields = fields,
                                   .all_steps = true,
                                   .ncopies = ncopies,
                                   .copies = copies};
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads an older file of this name any more */
    if (is_root()) {
        write_shape(path, s);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    *source = NULL;
    return io_source_open(MPI_COMM_WORLD, &config, source);
}

/* ---- Places ------------------------------------------------------------------------ */

/* Places of all vertices of all blocks of a source: malloc'ed. Collective. */
static vec3 *read_places(io_source *source, int64_t *count)
{
    const grid_block *blocks = io_source_blocks(source);
    int64_t most = 0;
    *count = 0;
    for (int b = 0; b < io_source_block_count(source); b++) {
        const int64_t size = blocks[b].n[0] * blocks[b].n[1] * blocks[b].n[2];
        *count += size;
        most = size > most ? size : most;
    }
    vec3 *all = malloc((size_t)*count * sizeof *all), *at = all;
    double *values = malloc((size_t)most * sizeof *values);
    for (int b = 0; b < io_source_block_count(source); b++) {
        const int64_t *n = blocks[b].n, size = n[0] * n[1] * n[2];
        const io_box box = {{0, 0, 0}, {n[0], n[1], n[2]}};
        for (int c = 0; c < 3; c++) {
            check_ok(
                io_source_read(source, IO_GRID_STEP, b, IO_ARRAY_X + c, &box, values),
                "coordinates");
            for (int64_t p = 0; p < size; p++) {
                at[p].v[c] = values[p];
            }
        }
        at += size;
    }
    free(values);
    return all;
}

/* Counts the pairs of vertices nearer than `near`, and those at one place bit by bit. */
static void count_pairs(io_source *source, double near, int pairs[2])
{
    int64_t count = 0;
    vec3 *all = read_places(source, &count);
    pairs[0] = pairs[1] = 0;
    for (int64_t a = 0; a < count; a++) {
        for (int64_t b = a + 1; b < count; b++) {
            if (vec3_length(vec3_sub(all[a], all[b])) < near) {
                pairs[0]++;
                pairs[1] += vec3_is_same(all[a], all[b]);
            }
        }
    }
    free(all);
}

/* Copies of a shape, and how many pairs of vertices they have. */
typedef struct seam_case {
    const char *what;
    shape of;
    int ncopies, blocks, pairs;
    grid_copies copies[2];
} seam_case;

#define TURN(degrees, number)                                                            \
    {                                                                                    \
        .rotate = {.axis = {{0, 0, 2}}, .angle = (degrees), .count = (number) }          \
    }
#define MIRROR(x, y, z, place)                                                           \
    {                                                                                    \
        .reflect = {.normal = {{x, y, z}}, .at = (place) }                               \
    }
#define ROW(x, y, z, number)                                                             \
    {                                                                                    \
        .shift = {.by = {{x, y, z}}, .count = (number) }                                 \
    }

/* Pairs of copies that share a plane of vertices, times those of the plane; the axis has
 * all vertices of a plane j in one place. */
static const seam_case cases[] = {
    {"a wheel", {30, 1, 1e-4}, 1, 12, 12 * NI *NK, {TURN(0, 12)}},
    {"a wheel backwards", {30, 1, 1e-4}, 1, 12, 12 * NI *NK, {TURN(-30, 12)}},
    {"a wheel of sevenths", {360.0 / 7, 1, 1e-4}, 1, 7, 7 * NI *NK, {TURN(0, 7)}},
    {"a part of a wheel", {30, 1, 1e-4}, 1, 4, 3 * NI *NK, {TURN(30, 4)}},
    {"a wheel with its axis",
     {30, 0, 1e-4},
     1,
     12,
     12 * (NI - 1) * NK + NK *(12 * NJ * (12 * NJ - 1) / 2),
     {TURN(0, 12)}},
    {"two halves of a wheel", {180, 1, 1e-4}, 1, 2, 2 * NI *NK, {TURN(0, 2)}},
    {"a mirror", {0, 0, 0}, 1, 2, NI *NK, {MIRROR(0, -3, 0, 0)}},
    {"a mirror behind", {0, 0, 1e-4}, 1, 2, NI *NK, {MIRROR(0, 1, 0, 1)}},
    {"halves of a wheel's passages",
     {15, 1, 1e-4},
     2,
     24,
     24 * NI *NK,
     {MIRROR(0, 1, 0, 0), TURN(0, 12)}},
    {"a row", {0, 0, 1e-4}, 1, 3, 2 * NI *NK, {ROW(0, 1, 0, 3)}},
    {"rows of rows",
     {0, 0, 1e-4},
     2,
     6,
     4 * NI *NK + 3 * NJ *NK + 4 * NK, /* planes along y and x; edges of four */
     {ROW(0, 1, 0, 3), ROW(1, 0, 0, 2)}},
    {"apart", {0, 0, 0.01}, 1, 2, -1, {ROW(0, 1, 0, 2)}},
};

static void copies_meet_bit_by_bit(void)
{
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const seam_case *c = &cases[n];
        grid_copies copies[2] = {c->copies[0], c->copies[1]};
        io_source *source = NULL;
        int pairs[2];
        if (check_ok(open_shape(&c->of, c->ncopies, copies, &source), c->what)) {
            check(io_source_block_count(source) == c->blocks, "%s: %d blocks", c->what,
                  io_source_block_count(source));
            count_pairs(source, 1e-3, pairs);
            if (c->pairs < 0) { /* the copies do not meet: nothing moves */
                count_pairs(source, 0.02, pairs);
                check(pairs[0] == NI * NK && pairs[1] < NI * NK,
                      "%s: %d of %d vertices have moved", c->what, pairs[1], pairs[0]);
            } else {
                check(pairs[0] == c->pairs && pairs[1] == pairs[0],
                      "%s: expected %d pairs of vertices, got %d, of which %d are one",
                      c->what, c->pairs, pairs[0], pairs[1]);
            }
        }
        io_source_close(&source);
        test_file_remove(test_path("shape.h5"));
    }
}

/* ---- Values ------------------------------------------------------------------------ */

static void check_field(io_source *source, int block, const char *name, double expected)
{
    const io_box box = {{1, 1, 1}, {2, 1, 1}};
    float single[2] = {0.0f};
    double exact[2] = {0.0};
    int field = 0;
    while (strcmp(io_source_fields(source)[field].name, name) != 0) {
        field++;
    }
    check_ok(io_source_read(source, 0, block, field, &box, single), name);
    check_ok(io_source_read_doubles(source, 0, block, field, &box, exact), name);
    check(fabs((double)single[1] - expected) < 1e-6 && fabs(exact[1] - expected) < 1e-14,
          "%s of block %d: expected %g, got %g", name, block, expected, exact[1]);
}

static void vectors_turn(void)
{
    const shape half = {0, 0, 0};
    grid_copies mirror = MIRROR(0, 1, 0, 0), wheel = TURN(0, 4);
    io_source *source = NULL;
    if (check_ok(open_shape(&half, 1, &mirror, &source), "a mirror")) {
        const double expected[] = {1, -2, 3, -4, 5, -6};
        for (int f = 0; f < 6; f++) {
            char name[16];
            name_field(f, name);
            check_field(source, 0, name, f + 1);
            check_field(source, 1, name, expected[f]);
        }
    }
    io_source_close(&source);
    if (check_ok(open_shape(&half, 1, &wheel, &source), "four quarters")) {
        check_field(source, 1, "velocity_x", -2);
        check_field(source, 1, "velocity_y", 1);
        check_field(source, 2, "vorticity_x", -4);
        check_field(source, 3, "velocity_y", -1);
        check_field(source, 3, "velocity_z", 3);
    }
    io_source_close(&source);
    test_file_remove(test_path("shape.h5"));
}

static void a_mirror_turns_the_hand(void)
{
    const shape half = {0, 0, 0};
    grid_copies mirror = MIRROR(0, 1, 0, 0);
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (check_ok(open_shape(&half, 1, &mirror, &source), "a mirror") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "its layout")) {
        check(!layout->blocks[0].left_handed && layout->blocks[1].left_handed &&
                  layout->blocks[1].copy == 1 && layout->census.inverted == 0,
              "expected a block and its left-handed copy");
        check(grid_layout_last_copy(layout, 0) == 1, "the last copy");
    }
    grid_layout_destroy(&layout);
    io_source_close(&source);
    char *name = "elsewhere";
    mirror.nblocks = 1;
    mirror.blocks = &name;
    check(open_shape(&half, 1, &mirror, &source) == STATUS_USAGE &&
              strstr(base_fail_message(), "there is no block 'elsewhere'"),
          "a block that is not there: %s", base_fail_message());
    base_fail_set_message("");
    io_source_close(&source);
    test_file_remove(test_path("shape.h5"));
}

/* ---- The ring ---------------------------------------------------------------------- */

static io_source *open_set(const char *name, const char *file, grid_copies *copies)
{
    const dataset *set = dataset_find(name);
    const dataset_options options = {{17, 5, 6}, 1, true};
    const io_data_config config = {.file = (char *)(uintptr_t)test_path(file),
                                   .all_steps = true,
                                   .ncopies = copies ? 1 : 0,
                                   .copies = copies};
    io_source *source = NULL;
    check_ok(dataset_write(MPI_COMM_WORLD, set, &options, config.file), name);
    check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), name);
    return source;
}

/* Compares the fields of a block; each rank reads a part of it. */
static void compare_block(io_source *ring, io_source *copies, int block)
{
    const int rank = parallel_rank(MPI_COMM_WORLD);
    const io_box box = {{rank, 1, 0}, {8, 3, 5}};
    float a[8 * 3 * 5], b[8 * 3 * 5];
    for (int field = 0; field < io_source_field_count(ring); field++) {
        double worst = 0.0;
        check_ok(io_source_read(ring, 0, block, field, &box, a), "the ring");
        check_ok(io_source_read(copies, 0, block, field, &box, b), "copies");
        for (int n = 0; n < 8 * 3 * 5; n++) {
            worst = fmax(worst, fabs((double)(a[n] - b[n])));
        }
        check(worst < 1e-6, "field %s of copy %d is off by %g",
              io_source_fields(ring)[field].name, block, worst);
    }
}

static void copies_of_a_passage_are_the_ring(void)
{
    grid_copies wheel = {.rotate = {.axis = {{1, 0, 0}}, .count = 24}};
    io_source *ring = open_set("vane-ring", "ring.h5", NULL);
    io_source *copies = open_set("vanes", "vanes.h5", &wheel);
    int64_t count = 0, others = 0;
    vec3 *a = read_places(ring, &count), *b = read_places(copies, &others);
    check(count == others, "%d vertices, expected %d", (int)others, (int)count);
    double worst = 0.0;
    for (int64_t n = 0; n < count && n < others; n++) {
        worst = fmax(worst, vec3_length(vec3_sub(a[n], b[n])));
    }
    check(worst < 1e-14, "vertices of copies are off by %g", worst);
    for (int block = 0; block < io_source_block_count(ring); block++) {
        compare_block(ring, copies, block);
    }
    free(a);
    free(b);
    int in_ring[2], in_copies[2];
    count_pairs(ring, 1e-6, in_ring);
    count_pairs(copies, 1e-6, in_copies);
    check(in_ring[0] == in_copies[0] && in_copies[1] == in_copies[0],
          "%d vertices of copies meet, %d of them bit by bit; in the ring %d",
          in_copies[0], in_copies[1], in_ring[0]);
    io_source_close(&ring);
    io_source_close(&copies);
    for (int n = 0; n < 2; n++) {
        test_file_remove(test_path(n ? "vanes.h5" : "ring.h5"));
        test_file_remove(test_path(n ? "vanes.xdmf" : "ring.xdmf"));
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_copies");
    run_test("copies meet bit by bit", copies_meet_bit_by_bit);
    run_test("vectors turn with their copy", vectors_turn);
    run_test("a mirror turns the hand of blocks", a_mirror_turns_the_hand);
    run_test("copies of a passage are the ring", copies_of_a_passage_are_the_ring);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
