#include "saved.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 3, PATH_SIZE = 64, MOST_LIVES = IO_MAX_LAYERS * 64, MOST_LISTS = 4096 };

/* Columns of the arrays of a list. */
enum { NUMBERS = 13, HEAD = 4, WHOLE = 7, REAL = 17, POINT_WHOLE = 3, POINT_REAL = 6 };

/* ---- Writing ----------------------------------------------------------------------- */

/* A place in the file: the folder of a swarm or of a list. */
typedef struct place {
    io_state *state;
    char folder[PATH_SIZE];
} place;

static status put(const place *at, const char *name, io_state_type type, int64_t rows,
                  int columns, const void *values)
{
    char path[2 * PATH_SIZE];
    const io_state_array array = {type, rows, columns, (void *)(uintptr_t)values};
    snprintf(path, sizeof path, "%s%s", at->folder, name);
    return io_state_put(at->state, path, &array);
}

static status put_text(const place *at, const char *name, const char *text)
{
    return put(at, name, IO_STATE_TEXT, (int64_t)strlen(text), 1, text);
}

static status put_travellers(const place *at, const trace_snapshot *from)
{
    const size_t count = (size_t)from->ntravellers;
    int64_t(*whole)[WHOLE] = malloc((count + 1) * sizeof *whole);
    double(*real)[REAL] = malloc((count + 1) * sizeof *real);
    status s = whole && real ? STATUS_OK : base_fail_memory(count, "particles");
    for (size_t n = 0; s == STATUS_OK && n < count; n++) {
        const trace_traveller *p = &from->travellers[n];
        const int64_t numbers[WHOLE] = {p->number,     p->records,    p->steps,
                                        p->cell.block, p->cell.at[0], p->cell.at[1],
                                        p->cell.at[2]};
        const double values[REAL] = {
            p->x[0],     p->x[1],      p->x[2],        p->release,     p->length,
            p->value,    p->next_step, p->velocity[0], p->velocity[1], p->velocity[2],
            p->bend[0],  p->bend[1],   p->bend[2],     p->past,        p->guess[0],
            p->guess[1], p->guess[2]};
        memcpy(whole[n], numbers, sizeof numbers);
        memcpy(real[n], values, sizeof values);
    }
    if (s == STATUS_OK) {
        s = put(at, "particle_numbers", IO_STATE_INT64, from->ntravellers, WHOLE, whole);
    }
    if (s == STATUS_OK) {
        s = put(at, "particle_values", IO_STATE_FLOAT64, from->ntravellers, REAL, real);
    }
    free(whole);
    free(real);
    return s;
}

static status put_records(const place *at, const trace_records *from)
{
    const size_t count = (size_t)from->count;
    int64_t(*whole)[POINT_WHOLE] = malloc((count + 1) * sizeof *whole);
    double(*real)[POINT_REAL] = malloc((count + 1) * sizeof *real);
    status s = whole && real ? STATUS_OK : base_fail_memory(count, "particles");
    for (size_t n = 0; s == STATUS_OK && n < count; n++) {
        const trace_record *r = &from->items[n];
        const int64_t numbers[POINT_WHOLE] = {r->particle, r->place, r->ended};
        const double values[POINT_REAL] = {r->x[0], r->x[1], r->x[2],
                                           r->time, r->age,  r->value};
        memcpy(whole[n], numbers, sizeof numbers);
        memcpy(real[n], values, sizeof values);
    }
    if (s == STATUS_OK) {
        s = put(at, "trail_numbers", IO_STATE_INT64, from->count, POINT_WHOLE, whole);
    }
    if (s == STATUS_OK) {
        s = put(at, "trail_values", IO_STATE_FLOAT64, from->count, POINT_REAL, real);
    }
    free(whole);
    free(real);
    return s;
}

static status put_list(const place *at, const frame_swarm_list *list)
{
    const io_seed_config *seeds = &list->seeds;
    const trace_snapshot *from = &list->snapshot;
    const int64_t numbers[NUMBERS] = {
        seeds->kind,        seeds->counts[0],     seeds->counts[1], seeds->counts[2],
        seeds->ncounts,     seeds->block != NULL, list->is_closed,  list->first_seed,
        list->has_snapshot, from->nseeds,         from->calls,      from->releases,
        from->ended};
    const double head[HEAD] = {from->now, from->origin[0], from->origin[1],
                               from->origin[2]};
    status s = put(at, "numbers", IO_STATE_INT64, 1, NUMBERS, numbers);
    if (s == STATUS_OK) {
        s = put(at, "head", IO_STATE_FLOAT64, 1, HEAD, head);
    }
    if (s == STATUS_OK) {
        s = put_text(at, "block", seeds->block ? seeds->block : "");
    }
    if (s == STATUS_OK) {
        s = put(at, "seeds", IO_STATE_FLOAT64, seeds->npoints, 3, seeds->points);
    }
    if (s == STATUS_OK) {
        s = put(at, "times", IO_STATE_FLOAT64, from->ntimes, 1, from->times);
    }
    if (s == STATUS_OK) {
        s = put_travellers(at, from);
    }
    return s == STATUS_OK ? put_records(at, &from->records) : s;
}

/* The owners, separated by line ends. */
static status put_owners(const place *at, const particles_live *live)
{
    const size_t size = ((size_t)live->nowners + 1) * (OWNER_SIZE + 1);
    char *text = calloc(size, 1);
    status s = text ? STATUS_OK : base_fail_memory(size, "particles");
    for (int n = 0; s == STATUS_OK && n < live->nowners; n++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\n", live->owners[n]);
    }
    s = s == STATUS_OK ? put_text(at, "layers", text) : s;
    free(text);
    return s;
}

static status put_live(io_state *state, int number, const particles_live *live)
{
    place at = {.state = state};
    snprintf(at.folder, sizeof at.folder, "%d/", number);
    const int64_t numbers[2] = {live->plan.config.mode,
                                live->swarm ? frame_swarm_lists(live->swarm) : 0};
    status s = put(&at, "numbers", IO_STATE_INT64, 1, 2, numbers);
    if (s == STATUS_OK) {
        s = put_owners(&at, live);
    }
    for (int n = 0; s == STATUS_OK && n < (int)numbers[1]; n++) {
        place below = {.state = state};
        snprintf(below.folder, sizeof below.folder, "%d/%d/", number, n);
        s = put_list(&below, frame_swarm_list_at(live->swarm, n));
    }
    return s;
}

static status put_grid(const place *at, const grid_layout *layout)
{
    status s = STATUS_OK;
    const int64_t count = layout->nblocks;
    s = put(at, "blocks", IO_STATE_INT64, 1, 1, &count);
    for (int b = 0; s == STATUS_OK && b < layout->nblocks; b++) {
        place below = *at;
        snprintf(below.folder, sizeof below.folder, "grid/%d/", b);
        s = put(&below, "size", IO_STATE_INT64, 1, 3, layout->blocks[b].n);
        s = s == STATUS_OK ? put_text(&below, "name", layout->blocks[b].name) : s;
    }
    return s;
}

status saved_put(const frame_particles *p, io_state *state)
{
    const place at = {.state = state, .folder = ""};
    const int64_t numbers[3] = {FORMAT, p->cycle, p->nlives};
    status s = put(&at, "numbers", IO_STATE_INT64, 1, 3, numbers);
    if (s == STATUS_OK) {
        s = put(&at, "time", IO_STATE_FLOAT64, 1, 1, &p->time);
    }
    if (s == STATUS_OK) {
        s = put_grid(&at, p->layout);
    }
    for (int n = 0; s == STATUS_OK && n < p->nlives; n++) {
        s = put_live(state, n, &p->lives[n]);
    }
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* A folder of the file that is read. */
typedef struct source {
    const io_state *state;
    char folder[PATH_SIZE];
} source;

static status get(const source *at, const char *name, io_state_type type, int columns,
                  io_state_array *out)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s%s", at->folder, name);
    return io_state_get(at->state, path, type, columns, out);
}

static status fail_numbers(const char *folder)
{
    return base_fail(STATUS_INPUT,
                     "the state of the particles has impossible numbers in "
                     "'%s'",
                     folder);
}

/* Gets one row. */
static status get_row(const source *at, const char *name, io_state_type type, int columns,
                      void *values)
{
    io_state_array array;
    status s = get(at, name, type, columns, &array);
    if (s == STATUS_OK && array.rows != 1) {
        s = fail_numbers(at->folder);
    } else if (s == STATUS_OK) {
        memcpy(values, array.values, (size_t)columns * 8);
    }
    free(array.values);
    return s;
}

/* Gets a text without zeros in it, shorter than `size`. */
static status get_text(const source *at, const char *name, size_t size, char *text)
{
    io_state_array array;
    status s = get(at, name, IO_STATE_TEXT, 1, &array);
    if (s == STATUS_OK &&
        ((size_t)array.rows >= size || strlen(array.values) != (size_t)array.rows)) {
        s = fail_numbers(at->folder);
    } else if (s == STATUS_OK) {
        memcpy(text, array.values, (size_t)array.rows + 1);
    }
    free(array.values);
    return s;
}

/* Two arrays with the same rows. */
static status get_pair(const source *at, const char *const names[2], const int columns[2],
                       io_state_array pair[2])
{
    status s = get(at, names[0], IO_STATE_INT64, columns[0], &pair[0]);
    if (s == STATUS_OK) {
        s = get(at, names[1], IO_STATE_FLOAT64, columns[1], &pair[1]);
    }
    return s == STATUS_OK && pair[0].rows != pair[1].rows ? fail_numbers(at->folder) : s;
}

static status get_travellers(const source *at, trace_snapshot *out)
{
    static const char *const names[2] = {"particle_numbers", "particle_values"};
    static const int columns[2] = {WHOLE, REAL};
    io_state_array pair[2] = {{0}};
    status s = get_pair(at, names, columns, pair);
    if (s == STATUS_OK) {
        out->travellers = calloc((size_t)pair[0].rows + 1, sizeof *out->travellers);
        s = out->travellers ? STATUS_OK
                            : base_fail_memory((size_t)pair[0].rows, "particles");
    }
    for (int64_t n = 0; s == STATUS_OK && n < pair[0].rows; n++) {
        const int64_t *w = (const int64_t *)pair[0].values + n * WHOLE;
        const double *r = (const double *)pair[1].values + n * REAL;
        out->travellers[out->ntravellers++] =
            (trace_traveller){.number = w[0],
                              .records = w[1],
                              .steps = w[2],
                              .x = {r[0], r[1], r[2]},
                              .release = r[3],
                              .length = r[4],
                              .value = r[5],
                              .next_step = r[6],
                              .velocity = {r[7], r[8], r[9]},
                              .bend = {r[10], r[11], r[12]},
                              .past = r[13],
                              .guess = {r[14], r[15], r[16]},
                              .cell = {w[3], {w[4], w[5], w[6]}}};
    }
    free(pair[0].values);
    free(pair[1].values);
    return s;
}

static status get_records(const source *at, trace_records *out)
{
    static const char *const names[2] = {"trail_numbers", "trail_values"};
    static const int columns[2] = {POINT_WHOLE, POINT_REAL};
    io_state_array pair[2] = {{0}};
    status s = get_pair(at, names, columns, pair);
    for (int64_t n = 0; s == STATUS_OK && n < pair[0].rows; n++) {
        const int64_t *w = (const int64_t *)pair[0].values + n * POINT_WHOLE;
        const double *r = (const double *)pair[1].values + n * POINT_REAL;
        const trace_record record = {.particle = w[0],
                                     .place = w[1],
                                     .ended = w[2] != 0,
                                     .x = {r[0], r[1], r[2]},
                                     .time = r[3],
                                     .age = r[4],
                                     .value = r[5]};
        trace_records_add(out, &record);
    }
    if (s == STATUS_OK && out->failed) {
        s = base_fail_memory((size_t)pair[0].rows, "particles");
    }
    free(pair[0].values);
    free(pair[1].values);
    return s;
}

static status get_snapshot(const source *at, const int64_t numbers[NUMBERS],
                           trace_snapshot *out)
{
    double head[HEAD];
    io_state_array times = {0};
    status s = get_row(at, "head", IO_STATE_FLOAT64, HEAD, head);
    if (s == STATUS_OK) {
        *out = (trace_snapshot){.origin = {head[1], head[2], head[3]},
                                .nseeds = numbers[9],
                                .calls = numbers[10],
                                .releases = numbers[11],
                                .ended = numbers[12],
                                .now = head[0]};
        s = get(at, "times", IO_STATE_FLOAT64, 1, &times);
    }
    if (s == STATUS_OK) {
        out->times = times.values;
        out->ntimes = times.rows;
        s = get_travellers(at, out);
    }
    if (s == STATUS_OK) {
        s = get_records(at, &out->records);
    }
    return s == STATUS_OK ? trace_snapshot_check(out) : s;
}

/* The points and the block of a list of seeds. */
static status get_seeds(const source *at, const int64_t numbers[NUMBERS],
                        io_seed_config *out)
{
    static const int64_t wanted[IO_SEED_KINDS] = {0, 2, 3, 2};
    char block[GRID_NAME_SIZE];
    io_state_array points = {0};
    bool is_fine = numbers[0] >= 0 && numbers[0] < IO_SEED_KINDS && numbers[4] >= 0 &&
                   numbers[4] <= 3;
    for (int n = 0; n < 3; n++) {
        is_fine = is_fine && numbers[1 + n] >= 0 && numbers[1 + n] <= IO_MAX_SEEDS;
    }
    status s =
        is_fine ? get_text(at, "block", sizeof block, block) : fail_numbers(at->folder);
    if (s == STATUS_OK) {
        s = get(at, "seeds", IO_STATE_FLOAT64, 3, &points);
    }
    if (s != STATUS_OK) {
        return s;
    }
    *out = (io_seed_config){.kind = (io_seed_kind)numbers[0],
                            .block = numbers[5] ? strdup(block) : NULL,
                            .npoints = points.rows <= IO_MAX_SEEDS ? (int)points.rows : 0,
                            .points = points.values,
                            .counts = {(int)numbers[1], (int)numbers[2], (int)numbers[3]},
                            .ncounts = (int)numbers[4]};
    const int64_t least = wanted[out->kind];
    return out->npoints < 1 || (least > 0 && out->npoints != least)
               ? fail_numbers(at->folder)
               : STATUS_OK;
}

/* Reads a list; what it has read is in *out also after a failure. */
static status get_list(const source *at, frame_swarm_list *out)
{
    int64_t numbers[NUMBERS];
    status s = get_row(at, "numbers", IO_STATE_INT64, NUMBERS, numbers);
    if (s == STATUS_OK) {
        s = get_seeds(at, numbers, &out->seeds);
    }
    if (s == STATUS_OK) {
        out->is_closed = numbers[6] != 0;
        out->first_seed = numbers[7];
        out->has_snapshot = numbers[8] != 0;
        s = out->has_snapshot ? get_snapshot(at, numbers, &out->snapshot) : STATUS_OK;
    }
    return s;
}

/* Reads the layers that show a swarm. */
static status get_owners(const source *at, particles_live *out)
{
    enum { MOST = 1 << 16 };
    char *text = calloc(MOST, 1), *next = NULL;
    out->owners = calloc(MOST / 2, sizeof *out->owners);
    status s = text && out->owners ? get_text(at, "layers", MOST, text)
                                   : base_fail_memory(MOST, "particles");
    for (char *word = s == STATUS_OK ? strtok_r(text, "\n", &next) : NULL; word;
         word = strtok_r(NULL, "\n", &next)) {
        snprintf(out->owners[out->nowners++], OWNER_SIZE, "%s", word);
    }
    free(text);
    return s;
}

static status get_live(const io_state *state, int number, particles_live *out)
{
    source at = {.state = state};
    int64_t numbers[2];
    snprintf(at.folder, sizeof at.folder, "%d/", number);
    status s = get_row(&at, "numbers", IO_STATE_INT64, 2, numbers);
    if (s == STATUS_OK &&
        (numbers[0] < IO_PARTICLES_PATH || numbers[0] > IO_PARTICLES_STREAK ||
         numbers[1] < 0 || numbers[1] > MOST_LISTS)) {
        s = fail_numbers(at.folder);
    }
    if (s == STATUS_OK) {
        out->plan.config.mode = (io_particle_mode)numbers[0];
        s = get_owners(&at, out);
    }
    if (s == STATUS_OK) {
        s = frame_swarm_create(&out->plan.config, particles_limits(), &out->swarm);
    }
    for (int n = 0; s == STATUS_OK && n < (int)numbers[1]; n++) {
        source below = {.state = state};
        frame_swarm_list list = {0};
        snprintf(below.folder, sizeof below.folder, "%d/%d/", number, n);
        s = get_list(&below, &list);
        const status added = frame_swarm_add_list(out->swarm, &list);
        s = s == STATUS_OK ? added : s;
    }
    return s;
}

/* Compares the blocks with those of the layout. */
static status compare_grid(const io_state *state, const grid_layout *layout, bool *same)
{
    source at = {.state = state, .folder = ""};
    int64_t count = 0, size[3] = {0};
    char name[GRID_NAME_SIZE];
    status s = get_row(&at, "blocks", IO_STATE_INT64, 1, &count);
    *same = s == STATUS_OK && count == layout->nblocks;
    for (int b = 0; s == STATUS_OK && *same && b < layout->nblocks; b++) {
        snprintf(at.folder, sizeof at.folder, "grid/%d/", b);
        s = get_row(&at, "size", IO_STATE_INT64, 3, size);
        if (s == STATUS_OK) {
            s = get_text(&at, "name", sizeof name, name);
        }
        *same = s == STATUS_OK && strcmp(name, layout->blocks[b].name) == 0 &&
                memcmp(size, layout->blocks[b].n, sizeof size) == 0;
    }
    return s;
}

status saved_get(const io_state *state, const grid_layout *layout, saved_about *about,
                 int *count, particles_live **lives)
{
    const source at = {.state = state, .folder = ""};
    int64_t numbers[3] = {0};
    *count = 0;
    *lives = NULL;
    status s = get_row(&at, "numbers", IO_STATE_INT64, 3, numbers);
    if (s == STATUS_OK && numbers[0] != FORMAT) {
        return base_fail(STATUS_INPUT,
                         "the state of the particles has the format %lld; "
                         "this program knows %d",
                         (long long)numbers[0], FORMAT);
    }
    if (s == STATUS_OK && (numbers[2] < 0 || numbers[2] > MOST_LIVES)) {
        s = fail_numbers("/");
    }
    if (s == STATUS_OK) {
        about->cycle = numbers[1];
        s = get_row(&at, "time", IO_STATE_FLOAT64, 1, &about->time);
    }
    if (s == STATUS_OK) {
        s = compare_grid(state, layout, &about->same_grid);
    }
    if (s == STATUS_OK) {
        *lives = calloc((size_t)numbers[2] + 1, sizeof **lives);
        s = *lives ? STATUS_OK : base_fail_memory((size_t)numbers[2], "particles");
    }
    for (int n = 0; s == STATUS_OK && n < (int)numbers[2]; n++) {
        (*lives)[(*count)++].flow = -1;
        s = get_live(state, n, &(*lives)[n]);
    }
    return s;
}
