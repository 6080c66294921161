#include "xdmf.h"

#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Place of an array: the HDF5 file, the group and the step (NULL: none), block and name
 * in it. */
typedef struct array_place {
    const char *file, *group, *step, *block, *name;
} array_place;

/* Prints an array of "Float", "Int" or "UChar" of so many bytes. `less`: 1 for arrays at
 * cells. Extents are in HDF5's order, slowest first. */
static void print_typed(FILE *out, array_place place, const int64_t n[3], int less,
                        const char *type, int bytes)
{
    fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" ", type,
            bytes);
    fprintf(out, "Dimensions=\"%lld %lld %lld\">", (long long)n[2] - less,
            (long long)n[1] - less, (long long)n[0] - less);
    io_file_print_escaped(out, place.file);
    fprintf(out, ":/%s/", place.group);
    if (place.step) {
        io_file_print_escaped(out, place.step);
        fputc('/', out);
    }
    io_file_print_escaped(out, place.block);
    fputc('/', out);
    io_file_print_escaped(out, place.name);
    fputs("</DataItem>\n", out);
}

static void print_array(FILE *out, array_place place, const int64_t n[3], int less,
                        int bytes)
{
    print_typed(out, place, n, less, "Float", bytes);
}

/* The place of the grid of a block at a step, without a name. */
static array_place find_grid(const io_xdmf_grid *grid, int step, int block,
                             const char *file)
{
    const int of = grid->grid_steps && step >= 0
                       ? grid->grid_steps[step * grid->nblocks + block]
                       : 0;
    return (array_place){.file = file,
                         .group = of > 0 ? "grids" : "grid",
                         .step = of > 0 ? grid->step_names[of] : NULL,
                         .block = grid->blocks[block].name};
}

static void print_geometry(FILE *out, const io_xdmf_grid *grid, const grid_block *block,
                           array_place place)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    fprintf(
        out,
        "          <Topology TopologyType=\"3DSMesh\" Dimensions=\"%lld %lld %lld\"/>\n"
        "          <Geometry GeometryType=\"X_Y_Z\">\n",
        (long long)block->n[2], (long long)block->n[1], (long long)block->n[0]);
    for (int c = 0; c < 3; c++) {
        place.name = coordinates[c];
        fputs("            ", out);
        print_array(out, place, block->n, 0, grid->double_coordinates ? 8 : 4);
    }
    fputs("          </Geometry>\n", out);
}

static void print_field(FILE *out, const io_xdmf_grid *grid, const grid_field *field,
                        const grid_block *block, array_place place)
{
    bool in_cells = field->location == GRID_CELL;
    const bool is_double =
        grid->is_double ? grid->is_double[field - grid->fields] : grid->double_fields;
    fputs("          <Attribute AttributeType=\"Scalar\" Name=\"", out);
    io_file_print_escaped(out, field->name);
    fprintf(out, "\" Center=\"%s\">\n            ", in_cells ? "Cell" : "Node");
    print_array(out, place, block->n, in_cells, is_double ? 8 : 4);
    const char *unit = grid->units ? grid->units[field - grid->fields] : "";
    if (unit[0] != '\0') {
        fputs("            <Information Name=\"Units\" Value=\"", out);
        io_file_print_escaped(out, unit);
        fputs("\"/>\n", out);
    }
    fputs("          </Attribute>\n", out);
}

/* iblank, and what ParaView hides points by. */
static void print_blanking(FILE *out, const io_xdmf_grid *grid, const grid_block *block,
                           array_place place)
{
    static const char *const names[] = {"iblank", "vtkGhostType"};
    static const char *const types[] = {"Int", "UChar"};
    static const int bytes[] = {4, 1};
    for (int n = 0; n < 1 + grid->has_ghosts && block->has_iblank; n++) {
        place.name = names[n];
        fprintf(out,
                "          <Attribute AttributeType=\"Scalar\" Name=\"%s\" "
                "Center=\"Node\">\n            ",
                names[n]);
        print_typed(out, place, block->n, 0, types[n], bytes[n]);
        fputs("          </Attribute>\n", out);
    }
}

static bool has_field(const io_xdmf_grid *grid, int step, int field)
{
    return !grid->has_field ||
           grid->has_field[(size_t)step * (size_t)grid->nfields + (size_t)field];
}

static void print_block(FILE *out, const io_xdmf_grid *grid, int step, int block,
                        const char *file)
{
    const grid_block *b = &grid->blocks[block];
    fputs("        <Grid GridType=\"Uniform\" Name=\"", out);
    io_file_print_escaped(out, b->name);
    fputs("\">\n", out);
    const array_place at = find_grid(grid, step, block, file);
    print_geometry(out, grid, b, at);
    print_blanking(out, grid, b, at);
    for (int f = 0; f < grid->nfields && step >= 0; f++) {
        const grid_field *field = &grid->fields[f];
        if (has_field(grid, step, f)) {
            array_place place = {file, "flow", grid->step_names[step], b->name,
                                 field->name};
            print_field(out, grid, field, b, place);
        }
    }
    fputs("        </Grid>\n", out);
}

/* Step -1: the grid alone. */
static void print_step(FILE *out, const io_xdmf_grid *grid, int step, const char *file)
{
    fputs("      <Grid GridType=\"Collection\" CollectionType=\"Spatial\" Name=\"", out);
    io_file_print_escaped(out, step < 0 ? "grid" : grid->step_names[step]);
    fputs("\">\n", out);
    if (step >= 0) {
        fprintf(out, "        <Time Value=\"%.17g\"/>\n", grid->times[step]);
    }
    for (int block = 0; block < grid->nblocks; block++) {
        print_block(out, grid, step, block, file);
    }
    fputs("      </Grid>\n", out);
}

static void print_document(FILE *out, const io_xdmf_grid *grid, const char *file)
{
    fputs(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Xdmf Version=\"3.0\">\n"
        "  <Domain>\n"
        "    <Grid GridType=\"Collection\" CollectionType=\"Temporal\" Name=\"steps\">\n",
        out);
    for (int step = grid->nsteps > 0 ? 0 : -1; step < grid->nsteps; step++) {
        print_step(out, grid, step, file);
    }
    fputs("    </Grid>\n"
          "  </Domain>\n"
          "</Xdmf>\n",
          out);
}

/* The part of a path behind its last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *io_xdmf_path(const char *h5_path)
{
    const char *dot = strrchr(base_name(h5_path), '.');
    /* A leading dot starts no ending. */
    int stem =
        dot && dot != base_name(h5_path) ? (int)(dot - h5_path) : (int)strlen(h5_path);
    size_t size = (size_t)stem + sizeof ".xdmf";
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%.*s.xdmf", stem, h5_path);
    }
    return path;
}

status io_xdmf_write(const char *h5_path, const io_xdmf_grid *grid)
{
    char *text = NULL;
    size_t size = 0;
    char *path = io_xdmf_path(h5_path);
    FILE *out = open_memstream(&text, &size);
    if (!path || !out) {
        if (out) {
            fclose(out);
        }
        free(text);
        free(path);
        return base_fail_memory(strlen(h5_path), "an XDMF file");
    }
    print_document(out, grid, base_name(h5_path));
    bool failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    status s =
        failed ? base_fail_memory(size, "an XDMF file") : io_file_write(path, text, size);
    free(text);
    free(path);
    return s;
}
