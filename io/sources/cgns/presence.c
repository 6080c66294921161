#include "presence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the zones of each step. */
typedef struct zone_names {
    int64_t n[3];  /* steps, most zones of one, characters of a name */
    char *text;    /* [n[0]][n[1]][n[2]] */
    int64_t *most; /* [n[0]]: zones of a step */
} zone_names;

/* A name without the spaces behind it, and without the base before it. */
static void take_name(const zone_names *names, int64_t step, int64_t number,
                      char out[2 * CGNS_NAME_SIZE])
{
    const char *at = names->text + (step * names->n[1] + number) * names->n[2];
    const int width =
        names->n[2] < 2 * CGNS_NAME_SIZE ? (int)names->n[2] : 2 * CGNS_NAME_SIZE - 1;
    snprintf(out, 2 * CGNS_NAME_SIZE, "%.*s", width, at);
    for (size_t end = strlen(out); end > 0 && out[end - 1] == ' '; end--) {
        out[end - 1] = '\0';
    }
    const char *slash = strrchr(out, '/');
    if (slash) {
        memmove(out, slash + 1, strlen(slash));
    }
}

static int compare_name(const void *name, const void *block)
{
    return strcmp(name, ((const grid_block *)block)->name);
}

/* A zone that is none of the blocks: it has been named, unless it is not in the file. */
static status omit_unknown(const cgns_zones *zones, int64_t step, const char *name)
{
    cgns_node zone;
    if (cgns_node_child(zones->base, name, &zone)) {
        cgns_node_close(&zone);
        return STATUS_OK;
    }
    return io_catalog_omit(zones->catalog,
                           "zone '%s', which ZonePointers names at step %d of the file: "
                           "there is none",
                           name, (int)step + 1);
}

/* Marks the zones of a step as there. */
static status mark_step(const cgns_zones *zones, const zone_names *names, int64_t step)
{
    const io_catalog *catalog = zones->catalog;
    status s = STATUS_OK;
    bool any = false;
    for (int64_t n = 0; n < names->most[step] && s == STATUS_OK; n++) {
        char name[2 * CGNS_NAME_SIZE];
        take_name(names, step, n, name);
        const bool is_name = name[0] != '\0' && strcmp(name, "Null") != 0;
        const grid_block *block =
            is_name ? bsearch(name, catalog->blocks, (size_t)catalog->nblocks,
                              sizeof *block, compare_name)
                    : NULL;
        if (block) {
            const int number = (int)(block - catalog->blocks);
            zones->tables->is_absent[cgns_tables_at(zones->tables, number, (int)step)] =
                0;
            any = true;
        }
        s = is_name && !block ? omit_unknown(zones, step, name) : s;
    }
    return s != STATUS_OK || any
               ? s
               : base_fail(STATUS_INPUT,
                           "step %d of CGNS file '%s' has no structured zone, as its "
                           "ZonePointers say: take the step out of the file",
                           (int)step + 1, zones->file->path);
}

/* Marks all zones as absent, then those of each step as there. */
static status mark_all(const cgns_zones *zones, const zone_names *names)
{
    const cgns_tables *tables = zones->tables;
    status s = STATUS_OK;
    memset(tables->is_absent, 1, cgns_tables_at(tables, tables->nblocks, 0));
    for (int64_t step = 0; step < names->n[0] && s == STATUS_OK; step++) {
        s = mark_step(zones, names, step);
    }
    return s;
}

/* Reads how many zones a step has; without a list, all names count. */
static status read_counts(const cgns_node *data, zone_names *names)
{
    cgns_node counts;
    int found = 0;
    names->most = calloc((size_t)names->n[0], sizeof *names->most);
    if (!names->most) {
        return base_fail_memory((size_t)names->n[0] * sizeof *names->most, "steps");
    }
    if (cgns_node_child(data, "NumberOfZones", &counts)) {
        found = cgns_node_ints(&counts, (int)names->n[0], names->most);
        cgns_node_close(&counts);
    }
    for (int64_t step = 0; step < names->n[0]; step++) {
        int64_t *most = &names->most[step];
        *most = step < found && *most >= 0 && *most < names->n[1] ? *most : names->n[1];
    }
    return STATUS_OK;
}

static status read_pointers(cgns_zones *zones, const cgns_node *data,
                            const cgns_node *list)
{
    zone_names names = {.most = NULL};
    names.text = cgns_node_table(list, names.n);
    status s = names.text && names.n[0] == zones->tables->nsteps
                   ? STATUS_OK
                   : base_fail(STATUS_INPUT,
                               "'%s' of CGNS file '%s' is no list of zones for each of "
                               "%d steps: write it again",
                               list->path, zones->file->path, zones->tables->nsteps);
    s = s == STATUS_OK ? read_counts(data, &names) : s;
    s = s == STATUS_OK ? mark_all(zones, &names) : s;
    zones->names_solutions = true;
    free(names.text);
    free(names.most);
    return s;
}

status cgns_presence_find(cgns_zones *zones)
{
    cgns_node data, list;
    status s = STATUS_OK;
    if (!cgns_node_first(zones->base, "BaseIterativeData_t", &data)) {
        return STATUS_OK;
    }
    if (cgns_node_child(&data, "ZonePointers", &list)) {
        s = read_pointers(zones, &data, &list);
        cgns_node_close(&list);
    }
    cgns_node_close(&data);
    return s;
}

status cgns_presence_enter(const cgns_tables *tables, io_catalog *catalog)
{
    const int nsteps = catalog->nsteps;
    if (!catalog->grids) {
        return STATUS_OK;
    }
    const int ngrids = catalog->grids[nsteps - 1] + 1;
    const size_t count = (size_t)ngrids * (size_t)tables->nblocks;
    int32_t *geometry = calloc(count + 1, sizeof *geometry);
    if (!geometry) {
        return base_fail_memory(count * sizeof *geometry, "the grids of steps");
    }
    for (int step = 0; step < nsteps; step++) {
        int32_t *row = geometry + (size_t)catalog->grids[step] * (size_t)tables->nblocks;
        for (int block = 0; block < tables->nblocks; block++) {
            const size_t at = cgns_tables_at(tables, block, step);
            row[block] = tables->is_absent[at] ? -1 : tables->grid[at];
        }
    }
    return io_catalog_set_geometry(catalog, ngrids, geometry);
}
