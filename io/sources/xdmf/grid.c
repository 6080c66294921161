/* Grids of an XDMF file: blocks, at all steps. */
#include "read.h"
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Adds places of x, y, z and iblank. */
static status add_grid(const xdmf_reader *r, const xdmf_leaf *leaf,
                       const io_array_place place[4])
{
    status s = STATUS_OK;
    r->builder->grid_step = leaf->step < 0 ? 0 : leaf->step;
    for (int a = 0; a < 4 && s == STATUS_OK; a++) {
        if (place[a].file != IO_ARRAY_LACKS) {
            s = io_array_builder_add_grid(r->builder, leaf->block, IO_ARRAY_X + a,
                                          &place[a]);
        }
    }
    return s;
}

/* ---- A grid ------------------------------------------------------------------------ */

/* Reads the sizes of a structured topology: k, j, i. */
static status read_sizes(xdmf_leaf *leaf)
{
    char text[128];
    int64_t n[3];
    if (!xml_attribute(leaf->topology, "Dimensions", text, sizeof text)) {
        xml_attribute(leaf->topology, "NumberOfElements", text, sizeof text);
    }
    const int count = xdmf_counts(text, 3, n);
    if (count < 2) {
        return xdmf_fail(leaf->topology, "has a %s of the dimensions '%s'", leaf->type,
                         text);
    }
    for (int axis = 0; axis < 3; axis++) {
        leaf->n[axis] = axis < count ? n[count - 1 - axis] : 1;
    }
    return STATUS_OK;
}

/* Finds the block among those of earlier steps, or adds it. */
static status take_block(xdmf_reader *r, const xmlNode *named, int place, xdmf_leaf *leaf)
{
    char name[GRID_NAME_SIZE];
    xml_attribute(named, "Name", name, sizeof name);
    io_array_wanted want = {.key = name,
                            .title = name,
                            .kind = "block",
                            .number = r->builder->catalog->nblocks + 1,
                            .step = leaf->step,
                            .place = place};
    memcpy(want.n, leaf->n, sizeof want.n);
    return io_array_builder_find_block(r->builder, &want, &leaf->block);
}

static bool is_structured(const char *type)
{
    static const char *const types[] = {"2DSMesh",    "3DSMesh",      "2DRectMesh",
                                        "3DRectMesh", "2DCoRectMesh", "3DCoRectMesh"};
    bool is = false;
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        is = is || strcasecmp(type, types[n]) == 0;
    }
    return is;
}

/* Leaves a grid out, with a word. */
static status leave_out(xdmf_reader *r, const xdmf_leaf *leaf)
{
    char name[64];
    if (r->unstructured[0] == '\0') {
        memcpy(r->unstructured, leaf->type, sizeof r->unstructured);
    }
    xml_attribute(leaf->grid, "Name", name, sizeof name);
    return leaf->step > 0 ? STATUS_OK
                          : io_catalog_omit(r->builder->catalog,
                                            "grid '%s' of the kind %s", name, leaf->type);
}

/* *next: number of the block in its step. named: has the block's name. */
static status take_leaf(xdmf_reader *r, const xmlNode *grid, const xmlNode *named,
                        int step, int *next)
{
    xdmf_leaf leaf = {.grid = grid, .step = step, .type = "no topology"};
    io_array_place place[4];
    status s = xdmf_child(grid, "Topology", &leaf.topology);
    if (s == STATUS_OK && leaf.topology) {
        xdmf_type(leaf.topology, "TopologyType", leaf.type, sizeof leaf.type);
    }
    if (s != STATUS_OK || !is_structured(leaf.type)) {
        return s == STATUS_OK ? leave_out(r, &leaf) : s;
    }
    s = read_sizes(&leaf);
    s = s == STATUS_OK ? take_block(r, named, (*next)++, &leaf) : s;
    s = s == STATUS_OK ? xdmf_geometry_find(r, &leaf, place) : s;
    s = s == STATUS_OK ? xdmf_attributes_add(r, &leaf, &place[3]) : s;
    return s == STATUS_OK ? add_grid(r, &leaf, place) : s;
}

/* ---- Collections ------------------------------------------------------------------- */

static status take_grid(xdmf_reader *r, const xmlNode *grid, const xmlNode *named,
                        int step, int *next);

/* Children at one time are blocks. */
static status take_blocks(xdmf_reader *r, const xmlNode *collection, int step, int *next)
{
    status s = STATUS_OK;
    for (const xmlNode *one = xml_child(collection, "Grid"); one && s == STATUS_OK;
         one = xml_next(one, "Grid")) {
        const xmlNode *grid = NULL;
        s = xdmf_resolve(one, &grid);
        s = s == STATUS_OK ? take_grid(r, grid, grid, step, next) : s;
    }
    return s;
}

/* Children are the same blocks at their steps. */
static status take_steps(xdmf_reader *r, const xmlNode *collection, int *next)
{
    const int first = *next;
    int last = first;
    status s = STATUS_OK;
    for (const xmlNode *one = xml_child(collection, "Grid"); one && s == STATUS_OK;
         one = xml_next(one, "Grid")) {
        const xmlNode *grid = NULL;
        *next = first;
        s = r->child < r->nchildren
                ? xdmf_resolve(one, &grid)
                : xdmf_fail(one, "has collections over time that refer to each other");
        s = s == STATUS_OK ? take_grid(r, grid, collection, r->children[r->child++], next)
                           : s;
        last = *next > last ? *next : last;
    }
    *next = last;
    return s;
}

static status take_grid(xdmf_reader *r, const xmlNode *grid, const xmlNode *named,
                        int step, int *next)
{
    if (xdmf_is_collection(grid, "Temporal")) {
        return step < 0 ? take_steps(r, grid, next)
                        : xdmf_fail(grid, "has a collection over time inside of another");
    }
    if (xdmf_is_collection(grid, "Spatial")) {
        return take_blocks(r, grid, step, next);
    }
    return xdmf_is(grid, "GridType", "SubSet")
               ? io_catalog_omit(r->builder->catalog, "a SubSet of '%s'",
                                 xdmf_document_of(grid)->path)
               : take_leaf(r, grid, named, step, next);
}

/* ---- The file ---------------------------------------------------------------------- */

static status fail_empty(const xdmf_reader *r, const char *path)
{
    return r->unstructured[0] == '\0'
               ? base_fail(STATUS_INPUT, "XDMF file '%s' has no grid", path)
               : base_fail(
                     STATUS_INPUT,
                     "XDMF file '%s' has no structured grid but one of the kind %s: "
                     "let ParaView put it on an image (Resample To Image) and save "
                     "that as .vti",
                     path, r->unstructured);
}

static status take_file(xdmf_reader *r, const char *path)
{
    status s = xdmf_set_open(path, r->builder, &r->set);
    const xmlNode *domain = NULL;
    int next = 0;
    if (s == STATUS_OK) {
        domain = xml_child(xmlDocGetRootElement(r->set.documents[0].xml), "Domain");
        s = domain ? xdmf_steps_find(r, domain) : fail_empty(r, path);
    }
    if (s == STATUS_OK && xml_next(domain, "Domain")) {
        s = io_catalog_omit(r->builder->catalog, "further elements Domain of '%s'", path);
    }
    s = s == STATUS_OK ? take_blocks(r, domain, -1, &next) : s;
    if (s == STATUS_OK && r->builder->catalog->nblocks == 0) {
        s = fail_empty(r, path);
    }
    return s;
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    (void)config;
    io_array_builder builder = {.path = path, .catalog = catalog, .table = table};
    xdmf_reader r = {.builder = &builder};
    status s = take_file(&r, path);
    builder.steps = r.steps;
    builder.nsteps = (int)r.nsteps;
    s = s == STATUS_OK ? io_catalog_note(catalog, "format", "XDMF") : s;
    s = io_array_builder_finish(&builder, s);
    xdmf_set_close(&r.set);
    xdmf_heavy_forget(&r.set.heavy);
    free(r.steps);
    free(r.children);
    return s;
}

const io_array_format xdmf_format = {.describe = describe,
                                     .decode = xdmf_item_decode,
                                     .find_part = xdmf_item_find_part,
                                     .decode_part = xdmf_heavy_read_part,
                                     .forget = xdmf_heavy_forget};
