/*
 * Parts of own vertices, and parts with ghost planes that are stale, draw the picture of
 * one rank. Ranks that disagree about a vertex are told of once.
 *
 *   test_insitu_parts FOLDER
 *
 * A bent slab, or a ring whose first plane comes once more, is cut in i and j. A slab may
 * also be two blocks that meet: they draw the picture of one if their cells match.
 */
#include "library/karman.h"
#include "picture_difference.h"
#include "support/file.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NI = 24, NJ = 15, NK = 5, STEPS = 2, STALE = -7 };

typedef struct parts_case {
    const char *name;
    bool is_ring, in_elements;
    int above;            /* planes above that a part counts as its own */
    int behind;           /* layers of elements behind those of a part */
    int stale;            /* ghosts that are stale: 1 coordinates, 2 values */
    const char *expected; /* warning of several ranks; NULL: none */
    bool fails;
    int cut;          /* the vertex along i with which a second block begins; 0: none */
    int finer;        /* cells of the second block for one of the first along j */
    const char *like; /* the case whose picture it is */
} parts_case;

static const parts_case cases[] = {
    {"own", false, false, 0, 0, 0, NULL, false, 0, 0, NULL},
    {"own-ring", true, false, 0, 0, 0, NULL, false, 0, 0, NULL},
    {"own-elements", false, true, 0, 1, 0, NULL, false, 0, 0, NULL},
    {"own-ring-elements", true, true, 0, 1, 0, NULL, false, 0, 0, NULL},
    {"shared", false, false, 1, 0, 0, NULL, false, 0, 0, NULL},
    {"shared-elements", true, true, 1, 0, 0, NULL, false, 0, 0, NULL},
    {"stale-places", true, false, 1, 0, 1, "disagree about vertex (", false, 0, 0, NULL},
    {"stale-values", false, false, 1, 0, 2, "disagree about vertex (", false, 0, 0, NULL},
    {"blocks", false, true, 0, 1, 0, NULL, false, 10, 1, "own-elements"},
    {"blocks-shared", false, true, 1, 0, 0, NULL, false, 10, 1, "own-elements"},
    {"blocks-vertices", false, false, 0, 0, 0, NULL, false, 10, 1, "own"},
    {"blocks-finer", false, true, 0, 1, 0, NULL, false, 10, 2, NULL},
    {"gap", false, true, 0, 0, 0, "no value: give the fields in elements", true, 0, 0,
     NULL},
};

/* A rank's part: vertices from lo on, of which it owns those below `end`. */
typedef struct slab {
    const parts_case *c;
    int from, finer, size[2]; /* of its block */
    int lo[3], n[3], end[3];
    double *memory[4];
} slab;

/* A ring is closed to the last bit. */
static double coordinate(const slab *s, int axis, int i, int j, int k)
{
    const int all = s->from + i;
    const double place = s->c->is_ring ? all % NI : all * 0.4;
    const double angle = 2.0 * 3.14159265358979 * place / NI;
    const double radius = 1.0 + 0.1 * j / s->finer;
    return axis == 0 ? radius * cos(angle) : axis == 1 ? radius * sin(angle) : 0.2 * k;
}

/* The array of x, y, z or the field (3), packed. */
static karman_array fill(slab *s, int array, int step)
{
    const int less = array == 3 && s->c->in_elements, more = less ? s->c->behind : 0;
    const int n[3] = {s->n[0] - less + more, s->n[1] - less + more, s->n[2] - less};
    double *out = calloc((size_t)(n[0] * n[1] * n[2]) + 1, sizeof *out);
    const int what = array < 3 ? 1 : 2;
    for (int v = 0; v < n[0] * n[1] * n[2]; v++) {
        const int i = s->lo[0] + v % n[0], j = s->lo[1] + v / n[0] % n[1];
        const int k = s->lo[2] + v / (n[0] * n[1]);
        const bool is_corner = i >= s->end[0] && j >= s->end[1];
        const bool is_stale = s->c->stale == what &&
                              (what == 1 ? is_corner : i >= s->end[0] || j >= s->end[1]);
        out[v] = is_stale    ? STALE
                 : array < 3 ? coordinate(s, array, i, j, k)
                             : sin(0.5 * (s->c->is_ring ? i % NI : s->from + i)) +
                                   0.1 * j / s->finer + step;
    }
    free(s->memory[array]);
    s->memory[array] = out;
    return (karman_array){
        .data = out, .type = KARMAN_FLOAT64, .ghosts_after = {more, more, 0}};
}

static void set_part(karman_session *session, int part, slab *s, int step)
{
    karman_block block = {.name = s->from > 0 ? "c" : "b",
                          .size = {s->size[0] + s->c->is_ring, s->size[1], NK},
                          .first = {s->lo[0], s->lo[1], s->lo[2]},
                          .count = {s->n[0], s->n[1], s->n[2]}};
    if (step == 0) {
        block.x = fill(s, 0, 0), block.y = fill(s, 1, 0), block.z = fill(s, 2, 0);
        karman_set_block(session, part, &block);
    }
    const karman_array f = fill(s, 3, step);
    karman_set_field(session, part, "f",
                     s->c->in_elements ? KARMAN_ELEMENT : KARMAN_VERTEX, &f);
}

/* Cuts a block of `size` into 2 x ranks / 2 parts, if ranks are even, else 1 x ranks. */
static slab cut_block(const parts_case *c, const int size[2], int rank, int ranks)
{
    const int along[2] = {ranks % 2 ? 1 : 2, ranks % 2 ? ranks : ranks / 2};
    const int place[2] = {rank % along[0], rank / along[0]};
    slab s = {.c = c,
              .finer = 1,
              .size = {size[0], size[1]},
              .n = {0, 0, NK},
              .end = {0, 0, NK}};
    for (int axis = 0; axis < 2; axis++) {
        s.lo[axis] = size[axis] * place[axis] / along[axis];
        s.end[axis] = size[axis] * (place[axis] + 1) / along[axis];
        const bool ends = s.end[axis] == size[axis] && !(c->is_ring && axis == 0);
        s.n[axis] = s.end[axis] - s.lo[axis] + (ends ? 0 : c->above);
    }
    return s;
}

static int make_parts(const parts_case *c, int rank, int ranks, slab parts[2])
{
    if (c->cut > 0) {
        const int second[2] = {NI - c->cut, (NJ - 1) * c->finer + 1};
        parts[0] = cut_block(c, (const int[2]){c->cut + 1, NJ}, rank, ranks);
        parts[1] = cut_block(c, second, ranks - 1 - rank, ranks); /* on other ranks */
        parts[1].from = c->cut, parts[1].finer = c->finer;
        return 2;
    }
    parts[0] = cut_block(c, (const int[2]){NI, NJ}, rank, ranks);
    if (!c->is_ring || c->above || parts[0].lo[0] > 0) {
        return 1;
    }
    parts[1] = parts[0]; /* the first plane once more */
    parts[1].lo[0] = NI, parts[1].n[0] = 1, parts[1].end[0] = NI + 1;
    return 2;
}

static const char config[] =
    "image: {width: 96, height: 72}\n"
    "camera: {position: [0.5, -4, 5], look_at: [0.3, 0.4, 0], fov: 50}\n"
    "layers:\n"
    "  - contour: {field: f, k: 2, range: [-1, 3]}\n"
    "  - volume: {field: f, range: [-1, 3], opacity: [[0, 0], [1, 0.6]], unit_length: "
    "1, shade: {}}\n"
    "in_situ: {check: true, run: '%s/%s-%d'}\n";

/* Draws two steps. Collective over comm. */
static bool draw(MPI_Comm comm, const char *folder, const parts_case *c)
{
    char text[2048];
    int rank, ranks;
    slab parts[2];
    bool ok = true;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    snprintf(text, sizeof text, config, folder, c->name, ranks);
    karman_session *session = NULL;
    karman_open_text(comm, text, NULL, &session);
    const int nparts = make_parts(c, rank, ranks, parts);
    for (int step = 0; step < STEPS; step++) {
        for (int p = 0; p < nparts; p++) {
            set_part(session, p, &parts[p], step);
        }
        const int code = karman_render(session, step, step);
        if ((code == KARMAN_DONE) != (!c->fails || ranks == 1)) {
            printf("%s: %s\n", c->name, karman_message());
            ok = false;
        }
    }
    karman_close(&session);
    for (int n = 0; n < 4 * nparts; n++) {
        free(parts[n / 4].memory[n % 4]);
    }
    return ok;
}

/* Whether the file of warnings has the expected one once, or nothing. */
static bool check_warnings(const char *path, const parts_case *c)
{
    size_t size;
    char *text = (char *)test_file_read(path, &size);
    const char *found = c->expected ? strstr(text, c->expected) : NULL;
    const bool ok = c->expected ? found && !strstr(found + 1, c->expected) : size == 0;
    if (!ok) {
        printf("%s: expected '%s' once, got: %s\n", c->name,
               c->expected ? c->expected : "nothing", text);
    }
    free(text);
    return ok;
}

static bool check_pictures(const char *folder, const parts_case *c, int ranks)
{
    bool ok = true;
    for (int step = 0; step < STEPS && !c->fails; step++) {
        char one[1024], all[1024];
        snprintf(one, sizeof one, "%s/%s-1/frames/frame_%06d.png", folder, c->name, step);
        snprintf(all, sizeof all, "%s/%s-%d/frames/frame_%06d.png", folder, c->name,
                 ranks, step);
        if (!test_file_same(one, all)) {
            printf("%s: step %d: %d ranks draw another picture\n", c->name, step, ranks);
            ok = false;
        }
        if (c->like) {
            snprintf(one, sizeof one, "%s/%s-1/frames/frame_%06d.png", folder, c->like,
                     step);
            ok = same_pngs(one, all, 1, 0.05) && ok;
        }
    }
    return ok;
}

int main(int argc, char **argv)
{
    int rank, ranks, provided, failed = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0] && argc > 1; n++) {
        char errors[1024];
        snprintf(errors, sizeof errors, "%s/%s-%d.txt", argv[1], cases[n].name, ranks);
        if (rank == 0) {
            failed += !draw(MPI_COMM_SELF, argv[1], &cases[n]);
            const int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
            dup2(file, STDERR_FILENO);
            close(file);
        }
        failed += !draw(MPI_COMM_WORLD, argv[1], &cases[n]);
        if (rank == 0 && ranks > 1) {
            failed += !check_warnings(errors, &cases[n]);
            failed += !check_pictures(argv[1], &cases[n], ranks);
        }
    }
    MPI_Finalize();
    return failed > 0 || argc < 2;
}
