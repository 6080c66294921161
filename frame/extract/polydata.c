/* A layer as a file of VTK: a piece for each rank. Source: Kitware, "VTK XML file
 * formats" (docs.vtk.org). Values are raw behind the markup, each array behind its number
 * of bytes:
 *
 *     rank 0: markup, points, values, connectivity, offsets
 *     rank 1:         points, …
 *     the last rank:  …, the end of the markup */
#include "layer_part.h"

#include "io/file.h"

#include <inttypes.h>
#include <string.h>

enum { ARRAYS = 4 }; /* points, values, connectivity, offsets */

static bool is_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/* Bytes of the arrays of a piece; 0: it has no such array. */
static void measure(const extract_layer *of, const extract_sizes *n,
                    int64_t bytes[ARRAYS])
{
    const bool has_values = of->values[0] != '\0';
    bytes[0] = 3 * (int64_t)sizeof(double) * n->points;
    bytes[1] = (int64_t)sizeof(float) * (of->geometry.in_cells ? n->parts : n->points);
    bytes[1] = has_values ? bytes[1] : -1;
    bytes[2] = (int64_t)sizeof(int64_t) * n->indices;
    bytes[3] = (int64_t)sizeof(int64_t) * n->parts;
}

static void print_array(FILE *out, const char *type, const char *name, int components,
                        int64_t bytes, int64_t *offset)
{
    fprintf(out, "<DataArray type=\"%s\" Name=\"", type);
    io_file_print_escaped(out, name);
    fprintf(out,
            "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%" PRId64 "\"/>\n",
            components, *offset);
    *offset += bytes + (int64_t)sizeof(uint64_t);
}

static void print_piece(const extract_layer *of, const extract_sizes *n, int64_t *offset,
                        FILE *out)
{
    const bool are_lines = of->geometry.are_lines;
    const char *place = of->geometry.in_cells ? "CellData" : "PointData";
    const char *element = are_lines ? "Lines" : "Polys";
    int64_t bytes[ARRAYS];
    measure(of, n, bytes);
    fprintf(out,
            "<Piece NumberOfPoints=\"%" PRId64
            "\" NumberOfVerts=\"0\" NumberOfLines=\"%" PRId64
            "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64 "\">\n<Points>\n",
            n->points, are_lines ? n->parts : 0, are_lines ? 0 : n->parts);
    print_array(out, "Float64", "Points", 3, bytes[0], offset);
    fprintf(out, "</Points>\n");
    if (bytes[1] >= 0) {
        fprintf(out, "<%s>\n", place);
        print_array(out, "Float32", of->values, 1, bytes[1], offset);
        fprintf(out, "</%s>\n", place);
    }
    fprintf(out, "<%s>\n", element);
    print_array(out, "Int64", "connectivity", 1, bytes[2], offset);
    print_array(out, "Int64", "offsets", 1, bytes[3], offset);
    fprintf(out, "</%s>\n</Piece>\n", element);
}

static void print_head(const extract_layer *of, FILE *out)
{
    int64_t offset = 0;
    fprintf(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
        "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<FieldData><DataArray "
        "type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">%.17g</DataArray></FieldData>\n",
        is_big() ? "BigEndian" : "LittleEndian", of->time);
    for (int rank = 0; rank < of->scene->ranks; rank++) {
        print_piece(of, &of->sizes[rank], &offset, out);
    }
    fprintf(out, "</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void put_bytes(int64_t bytes, FILE *out)
{
    const uint64_t count = (uint64_t)bytes;
    fwrite(&count, sizeof count, 1, out);
}

status extract_polydata_print(const extract_layer *of, FILE *out)
{
    const render_geometry *g = &of->geometry;
    const frame_scene *scene = of->scene;
    int64_t bytes[ARRAYS];
    measure(of, &of->sizes[scene->rank], bytes);
    if (scene->rank == 0) {
        print_head(of, out);
    }
    put_bytes(bytes[0], out);
    for (int64_t n = 0; n < g->npoints; n++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (double)g->points[n][axis] + scene->layout->origin.v[axis];
        }
        fwrite(at, sizeof at, 1, out);
    }
    if (bytes[1] >= 0) {
        put_bytes(bytes[1], out);
        fwrite(g->values, 1, (size_t)bytes[1], out);
    }
    put_bytes(bytes[2], out);
    fwrite(g->indices, 1, (size_t)bytes[2], out);
    put_bytes(bytes[3], out);
    fwrite(g->ends, 1, (size_t)bytes[3], out);
    if (scene->rank == scene->ranks - 1) {
        fprintf(out, "\n</AppendedData>\n</VTKFile>\n");
    }
    return ferror(out) ? base_fail_memory((size_t)bytes[0], "a file of a layer")
                       : STATUS_OK;
}
