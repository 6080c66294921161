#include "extract.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "cut.h"
#include "gates.h"
#include "io/file.h"
#include "layer_part.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PATH = 4096 };

/* ---- Layers ------------------------------------------------------------------------ */

/* The field that colours a layer; an isosurface of one colour has its own. */
static const char *name_values(const frame_layer *layer)
{
    return layer->field                                 ? layer->field
           : layer->config->kind == IO_LAYER_ISOSURFACE ? layer->config->tool->field
                                                        : "";
}

/* Finds the geometry of a layer, and the sizes of all ranks. Collective. */
static status find_layer(const frame_scene *scene, const frame_layers *layers,
                         frame_layer *layer, const io_step *step, extract_layer *out)
{
    const size_t ranks = (size_t)scene->ranks;
    *out = (extract_layer){
        .scene = scene, .layer = layer, .values = name_values(layer), .time = step->time};
    const char *number = layer->name + strlen("layers.");
    snprintf(out->name, sizeof out->name, "%s", number);
    *strchr(out->name, '.') = '_';
    extract_sizes *mine = calloc(ranks, sizeof *mine);
    out->sizes = calloc(ranks, sizeof *out->sizes);
    status s = mine && out->sizes ? layer->kind->geometry(scene, layer, &out->geometry)
                                  : base_fail_memory(ranks * sizeof *mine, "sizes");
    s = parallel_agree(scene->comm, s);
    s = s == STATUS_OK ? extract_gates(scene, layers, layer, &out->geometry) : s;
    s = s == STATUS_OK ? extract_cut(&scene->cuts, &out->geometry) : s;
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        const render_geometry *g = &out->geometry;
        mine[scene->rank] = (extract_sizes){g->npoints, g->nindices, g->nparts};
        parallel_allreduce(mine, out->sizes, 3 * scene->ranks, MPI_INT64_T, MPI_SUM,
                           scene->comm);
        out->values = g->values ? out->values : "";
    }
    free(mine);
    return s;
}

static void clear_layer(extract_layer *layer)
{
    render_geometry_clear(&layer->geometry);
    free(layer->sizes);
}

/* ---- Files ------------------------------------------------------------------------- */

/* The files of a step. */
typedef struct extraction {
    const frame_scene *scene;
    const char *path;
    bool is_rows;
    char stem[PATH]; /* the path without its ending */
    char *bytes;     /* of rows, or of the list of files */
    size_t size;
    FILE *text;
    int count; /* layers so far */
} extraction;

/* Writes a layer's .vtp file. Collective. */
static status write_polydata(extraction *e, const extract_layer *layer)
{
    char path[2 * PATH];
    char *bytes = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s.vtp", e->stem, layer->name);
    FILE *out = open_memstream(&bytes, &size);
    status s = out ? extract_polydata_print(layer, out) : base_fail_memory(0, "a file");
    if (out && fclose(out) != 0 && s == STATUS_OK) {
        s = base_fail_memory(size, "a file");
    }
    s = extract_file_write(e->scene->comm, s, path, bytes, size);
    free(bytes);
    const char *slash = strrchr(e->stem, '/');
    if (e->scene->rank == 0) {
        fprintf(e->text, "<DataSet index=\"%d\" name=\"%s\" file=\"", e->count,
                layer->name);
        io_file_print_escaped(e->text, slash ? slash + 1 : e->stem);
        fprintf(e->text, "/%s.vtp\"/>\n", layer->name);
    }
    return s;
}

/* Adds a layer to the rows, or writes its file. Collective. */
static status add_layer(extraction *e, const frame_layers *layers, frame_layer *layer,
                        const io_step *step)
{
    extract_layer found;
    status s = find_layer(e->scene, layers, layer, step, &found);
    if (s == STATUS_OK) {
        s = e->is_rows
                ? parallel_agree(e->scene->comm,
                                 extract_rows_print(&found, e->count == 0, e->text))
                : write_polydata(e, &found);
    }
    clear_layer(&found);
    e->count++;
    return s;
}

static void print_list(const extraction *e, bool is_head)
{
    if (!e->is_rows && e->scene->rank == 0) {
        fputs(is_head ? "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" "
                        "version=\"1.0\">\n<vtkMultiBlockDataSet>\n"
                      : "</vtkMultiBlockDataSet>\n</VTKFile>\n",
              e->text);
    }
}

/* Rows have the order of ranks, then that of layers. */
static status write_layers(extraction *e, frame_layers *layers, const io_step *step)
{
    status s = STATUS_OK;
    print_list(e, true);
    for (int n = 0; n < layers->count && s == STATUS_OK; n++) {
        if (layers->items[n].kind->geometry) {
            s = add_layer(e, layers, &layers->items[n], step);
        }
    }
    print_list(e, false);
    return s;
}

/* Writes all files of a step. */
static status write_step(const frame_scene *scene, frame_layers *layers,
                         const io_step *step, const char *path)
{
    extraction e = {.scene = scene, .path = path};
    const char *dot = strrchr(path, '.');
    e.is_rows = dot && strcasecmp(dot, ".csv") == 0;
    snprintf(e.stem, sizeof e.stem, "%.*s", (int)(dot ? dot - path : 0), path);
    e.text = open_memstream(&e.bytes, &e.size);
    status s =
        parallel_agree(scene->comm, e.text ? STATUS_OK : base_fail_memory(0, "extracts"));
    s = s == STATUS_OK ? write_layers(&e, layers, step) : s;
    if (e.text && fclose(e.text) != 0 && s == STATUS_OK) {
        s = base_fail_memory(e.size, "extracts");
    }
    s = extract_file_write(scene->comm, s, path, e.bytes, e.size);
    free(e.bytes);
    return s;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Says what the files lack. */
static void warn(const frame_scene *scene, const frame_layers *layers)
{
    bool has_any = false;
    for (int n = 0; n < layers->count; n++) {
        has_any = has_any || layers->items[n].kind->geometry;
    }
    if (!has_any) {
        base_log_warning(
            "output.extracts: no layer has polygons or lines: name contours, "
            "isosurfaces, objects or particles, such as '--slice x=2'");
    } else if (scene->config->volume) {
        base_log_warning("output.extracts has no volume, as that is neither polygons nor "
                         "lines");
    }
}

status frame_extract_write(const frame_scene *scene, frame_layers *layers,
                           const io_step *step, bool warns)
{
    char *path = io_config_expand(scene->config->output.extracts, scene->number);
    status s =
        parallel_agree(scene->comm, path ? STATUS_OK : base_fail_memory(0, "a path"));
    if (s == STATUS_OK && warns) {
        warn(scene, layers);
    }
    s = s == STATUS_OK ? write_step(scene, layers, step, path) : s;
    free(path);
    return s;
}
