#include "missing.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/load/load.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A volume has one field, an isosurface two, particles four at most. */
enum { MOST_FIELDS = 1 + 4 * IO_MAX_LAYERS };

/* A field, and the findings about it in the current picture. */
typedef struct shown_field {
    char name[GRID_NAME_SIZE];
    bool said_some,
        said_none; /* warned of missing values; warned that no value is finite */
    bool is_shown; /* the current picture shows it, */
    int step;      /* last at this step (index) */
    const grid_recipe *recipe; /* borrowed */
    bool has_value, lacks_value;
    uint8_t
        *bricks; /* [layout->nbricks]: marks bricks that lack values; NULL: not wanted */
} shown_field;

struct frame_missing {
    int count;
    shown_field fields[MOST_FIELDS];
};

status frame_missing_create(frame_missing **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? STATUS_OK : base_fail_memory(sizeof **out, "the fields of a picture");
}

static void forget_picture(frame_missing *missing)
{
    for (int n = 0; n < missing->count; n++) {
        shown_field *field = &missing->fields[n];
        free(field->bricks);
        field->bricks = NULL;
        field->recipe = NULL;
        field->is_shown = false;
    }
}

void frame_missing_destroy(frame_missing **missing)
{
    if (*missing) {
        forget_picture(*missing);
    }
    free(*missing);
    *missing = NULL;
}

frame_missing *frame_missing_detach(frame_scene *scene)
{
    frame_missing *missing = scene->missing;
    if (missing) {
        forget_picture(missing);
        scene->missing = NULL;
    }
    return missing;
}

void frame_missing_attach(frame_scene *scene, frame_missing **missing)
{
    if (*missing) {
        frame_missing_destroy(&scene->missing);
        scene->missing = *missing;
        *missing = NULL;
    }
}

void frame_missing_begin(frame_scene *scene)
{
    forget_picture(scene->missing);
}

/* ---- Looking ----------------------------------------------------------------------- */

/* The entry of a field, or a new one; NULL if the table is full. */
static shown_field *find_entry(frame_missing *missing, const char *name)
{
    for (int n = 0; n < missing->count; n++) {
        if (strcmp(missing->fields[n].name, name) == 0) {
            return &missing->fields[n];
        }
    }
    if (missing->count == MOST_FIELDS) {
        return NULL;
    }
    shown_field *field = &missing->fields[missing->count++];
    snprintf(field->name, sizeof field->name, "%s", name);
    return field;
}

static void begin_step(shown_field *field, const grid_recipe *recipe, int step)
{
    free(field->bricks);
    field->bricks = NULL;
    field->is_shown = true;
    field->step = step;
    field->recipe = recipe;
    field->has_value = field->lacks_value = false;
}

void frame_missing_look(frame_scene *scene, const char *name, const grid_recipe *recipe,
                        int step, const grid_store *store)
{
    shown_field *field = find_entry(scene->missing, name);
    if (!field) {
        return;
    }
    if (!field->is_shown || field->step != step) {
        begin_step(field, recipe, step);
    }
    if (!field->said_some && !field->bricks) {
        field->bricks = calloc((size_t)scene->layout->nbricks + 1, 1);
        field->lacks_value |= !field->bricks; /* then counting fails, on all ranks */
    }
    io_load_find_lacking(store, field->bricks, &field->has_value, &field->lacks_value);
}

/* ---- Reporting --------------------------------------------------------------------- */

/* Combines the findings of all ranks. Collective. */
static void share_findings(const frame_scene *scene)
{
    frame_missing *missing = scene->missing;
    int found[2 * MOST_FIELDS];
    for (int n = 0; n < missing->count; n++) {
        const shown_field *field = &missing->fields[n];
        found[2 * n] = field->is_shown && field->has_value;
        found[2 * n + 1] = field->is_shown && field->lacks_value;
    }
    if (missing->count > 0) {
        parallel_allreduce(MPI_IN_PLACE, found, 2 * missing->count, MPI_INT, MPI_MAX,
                           scene->comm);
    }
    for (int n = 0; n < missing->count; n++) {
        missing->fields[n].has_value = found[2 * n];
        missing->fields[n].lacks_value = found[2 * n + 1];
    }
}

/* Writes " of block 'a'", or " of the blocks 'a', 'b', 'c' and 4 more". */
static void name_blocks(const grid_layout *layout, const int64_t *counts, char *text,
                        size_t size)
{
    enum { MOST_NAMES = 3 };
    int lacking = 0, named = 0;
    for (int b = 0; b < layout->nblocks; b++) {
        lacking += counts[b] > 0;
    }
    snprintf(text, size, "%s", lacking == 1 ? "block" : "the blocks");
    for (int b = 0; b < layout->nblocks && named < MOST_NAMES; b++) {
        if (counts[b] > 0) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s '%s'", named++ > 0 ? "," : "",
                     layout->blocks[b].name);
        }
    }
    if (lacking > named) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, " and %d more", lacking - named);
    }
}

static void warn_of_some(const frame_scene *scene, const shown_field *field,
                         const int64_t *counts)
{
    const bool in_cells = grid_recipe_location(field->recipe) == GRID_CELL;
    char blocks[4 * GRID_NAME_SIZE];
    int64_t all = 0;
    for (int b = 0; b < scene->layout->nblocks; b++) {
        all += counts[b];
    }
    name_blocks(scene->layout, counts, blocks, sizeof blocks);
    base_log_warning("the field '%s' is missing %s %" PRId64 " %s of %s at step %" PRId64
                     ": volumes are transparent there, surfaces have their nan_color",
                     field->name, in_cells ? "in" : "at", all,
                     in_cells   ? all == 1 ? "cell" : "cells"
                     : all == 1 ? "vertex"
                                : "vertices",
                     blocks, io_source_steps(scene->source)[field->step].number);
}

/* Counts the missing values of a field and warns of them. Collective. */
static status report_some(frame_scene *scene, shown_field *field)
{
    const size_t bytes = ((size_t)scene->layout->nblocks + 1) * sizeof(int64_t);
    const io_load_lacking lacking = {field->recipe, field->step, field->bricks};
    int64_t *counts = malloc(bytes);
    status s = counts && field->bricks ? STATUS_OK
                                       : base_fail_memory(bytes, "counts of a field");
    s = parallel_agree(scene->comm, s);
    const int before = omp_get_max_threads();
    omp_set_num_threads(scene->threads); /* reading uses OpenMP's number of threads */
    if (s == STATUS_OK) {
        s = io_load_count_missing(scene->comm, scene->source, scene->layout, &lacking,
                                  counts);
    }
    omp_set_num_threads(before);
    if (s == STATUS_OK) {
        warn_of_some(scene, field, counts);
        field->said_some = true;
    }
    free(counts);
    return s;
}

static void report_none(const frame_scene *scene, shown_field *field)
{
    if (!field->said_none) {
        base_log_warning("the field '%s' has no finite value at step %" PRId64
                         ": nothing of it can be drawn",
                         field->name, io_source_steps(scene->source)[field->step].number);
    }
    field->said_none = field->said_some = true;
}

status frame_missing_report(frame_scene *scene)
{
    frame_missing *missing = scene->missing;
    status s = STATUS_OK;
    share_findings(scene);
    for (int n = 0; s == STATUS_OK && n < missing->count; n++) {
        shown_field *field = &missing->fields[n];
        if (!field->lacks_value) {
            continue;
        }
        if (!field->has_value) {
            report_none(scene, field);
        } else if (!field->said_some) {
            s = report_some(scene, field);
        }
    }
    return s;
}

bool frame_missing_is_empty(const frame_scene *scene, const char *name)
{
    const frame_missing *missing = scene->missing;
    bool is_empty = false;
    for (int n = 0; n < missing->count; n++) {
        const shown_field *field = &missing->fields[n];
        if (field->is_shown && (!name || strcmp(field->name, name) == 0)) {
            is_empty |= field->lacks_value && !field->has_value;
        }
    }
    return is_empty;
}
