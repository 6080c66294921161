#include "legacy.h"
#include "io/gzip/unpacked.h"

#include "io/sources/arrays/text.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A file that is being described. */
typedef struct legacy {
    const char *path;
    int32_t file;
    FILE *stream;
    int64_t size; /* bytes of the file */
    bool is_text;
    io_array_builder *builder;
    grid_block grid;
    int block;
    grid_location location; /* of the fields that follow */
    bool has_location;      /* POINT_DATA or CELL_DATA was read */
} legacy;

bool vtk_legacy_is(FILE *stream)
{
    static const char mark[] = "# vtk DataFile";
    char bytes[sizeof mark - 1];
    fseek(stream, 0, SEEK_SET);
    return fread(bytes, sizeof bytes, 1, stream) == 1 &&
           memcmp(bytes, mark, sizeof bytes) == 0;
}

static status fail(const legacy *f, const char *what)
{
    return base_fail(STATUS_INPUT,
                     "VTK file '%s' %s: write it again, or convert it with ParaView",
                     f->path, what);
}

/* ---- Arrays ------------------------------------------------------------------------ */

/* Finds the type of a number by its name in VTK; false: there is none. A text has a
 * number for each bit. */
static bool find_type(const char *name, bool is_text, io_number *out)
{
    static const struct {
        const char *name;
        io_number type;
    } types[] = {{"float", IO_FLOAT32},
                 {"double", IO_FLOAT64},
                 {"char", IO_INT8},
                 {"signed_char", IO_INT8},
                 {"unsigned_char", IO_UINT8},
                 {"short", IO_INT16},
                 {"unsigned_short", IO_UINT16},
                 {"int", IO_INT32},
                 {"unsigned_int", IO_UINT32},
                 {"long", IO_INT64},
                 {"unsigned_long", IO_UINT64},
                 {"vtkIdType", IO_INT32},
                 {"vtktypeint64", IO_INT64},
                 {"vtktypeuint64", IO_UINT64}};
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        if (strcasecmp(types[n].name, name) == 0) {
            *out = types[n].type;
            return true;
        }
    }
    *out = IO_UINT8;
    return is_text && strcasecmp(name, "bit") == 0;
}

/* An array of `tuples` x `components` numbers that begins here. */
typedef struct legacy_array {
    io_number type;
    int64_t tuples, components;
    int64_t begin;   /* byte */
    bool is_omitted; /* texts, or eight bits a byte */
} legacy_array;

/* Passes over texts. A binary one has its length before it, whose upper two bits tell in
 * how many bytes. */
static bool pass_texts(legacy *f, int64_t count)
{
    char line[VTK_LINE];
    bool is_there = count <= f->size;
    for (int64_t n = 0; n < count && is_there; n++) {
        const int first = f->is_text ? 0 : fgetc(f->stream);
        int64_t length = first & 63;
        for (int more = (1 << (3 - (first >> 6 & 3))) - 1; more > 0 && !f->is_text;
             more--) {
            length = length << 8 | (fgetc(f->stream) & 255);
        }
        is_there = f->is_text ? fgets(line, sizeof line, f->stream) != NULL
                              : first != EOF && length >= 0 && length <= f->size &&
                                    fseek(f->stream, (long)length, SEEK_CUR) == 0;
    }
    return is_there;
}

/* Passes over an array that is no field: texts, or bits in bytes. */
static status omit_array(legacy *f, const char *type, legacy_array *array)
{
    const int64_t count = array->tuples * array->components;
    array->is_omitted = true;
    const bool is_there =
        strcasecmp(type, "string") == 0
            ? pass_texts(f, count)
            : array->begin + (count + 7) / 8 <= f->size &&
                  fseek(f->stream, (long)((count + 7) / 8), SEEK_CUR) == 0;
    return is_there ? STATUS_OK : fail(f, "ends inside an array");
}

/* Finds the place of an array, and passes over its numbers. */
static status take_array(legacy *f, const char *type, int64_t tuples, int64_t components,
                         legacy_array *out)
{
    *out = (legacy_array){
        .tuples = tuples, .components = components, .begin = ftell(f->stream)};
    if (components < 1 || components > 64 || tuples > f->size) {
        return fail(f, "has an array of impossible size");
    }
    if (strcasecmp(type, "string") == 0 ||
        (!f->is_text && strcasecmp(type, "bit") == 0)) {
        return omit_array(f, type, out);
    }
    if (!find_type(type, f->is_text, &out->type)) {
        return base_fail(STATUS_INPUT,
                         "VTK file '%s' has an array of type '%s', which karman does not "
                         "read: write it with ParaView as XML (.vts)",
                         f->path, type);
    }
    const int64_t size = (int64_t)io_number_size(out->type);
    const int64_t end = out->begin + tuples * components * size;
    const bool is_there =
        f->is_text ? io_array_text_skip(f->stream, tuples * components)
                   : end <= f->size && fseek(f->stream, (long)end, SEEK_SET) == 0;
    return is_there ? STATUS_OK : fail(f, "ends inside an array");
}

/* The place of a component of an array; n: its tuples along i, j, k. */
static io_array_place place_of(const legacy *f, const legacy_array *array,
                               const int64_t n[3], int component)
{
    const bool is_single = array->type == IO_FLOAT32;
    const io_number type = !f->is_text ? array->type
                           : is_single ? IO_FLOAT32
                                       : IO_FLOAT64;
    io_array_place place = io_array_place_make(type, !f->is_text && io_arrays_swap(true),
                                               f->is_text ? 0 : array->begin, n,
                                               (int)array->components, component);
    place.file = f->file;
    place.is_coded = f->is_text;
    place.code[0] = array->begin;
    place.code[1] = array->tuples * array->components;
    return place;
}

/* ---- Grid -------------------------------------------------------------------------- */

static int64_t product(const int64_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* POINTS n type */
static status take_points(legacy *f, const vtk_line *line)
{
    legacy_array array;
    int64_t count;
    if (!vtk_line_count(line, 1, &count) || line->count < 3 ||
        count != product(f->grid.n)) {
        return fail(f, "has not as many points as its dimensions say");
    }
    status s = take_array(f, line->word[2], count, 3, &array);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        const io_array_place place = place_of(f, &array, f->grid.n, axis);
        s = io_array_builder_add_grid(f->builder, f->block, IO_ARRAY_X + axis, &place);
    }
    return s;
}

/* X_COORDINATES n type, and so on */
static status take_axis(legacy *f, const vtk_line *line, int axis)
{
    legacy_array array;
    int64_t count;
    if (!vtk_line_count(line, 1, &count) || line->count < 3 || count != f->grid.n[axis]) {
        return fail(f, "has not as many coordinates as its dimensions say");
    }
    status s = take_array(f, line->word[2], count, 1, &array);
    if (s == STATUS_OK) {
        io_array_place place = place_of(f, &array, (const int64_t[3]){count, 1, 1}, 0);
        const int64_t step = place.stride[0];
        for (int other = 0; other < 3; other++) {
            place.stride[other] = other == axis ? step : 0;
        }
        s = io_array_builder_add_grid(f->builder, f->block, IO_ARRAY_X + axis, &place);
    }
    return s;
}

/* ORIGIN and SPACING of structured points. */
static status take_ramps(legacy *f, const double origin[3], const double spacing[3])
{
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        io_array_place place = {.file = IO_ARRAY_RAMP, .start = origin[axis]};
        place.slope[axis] = spacing[axis];
        s = io_array_builder_add_grid(f->builder, f->block, IO_ARRAY_X + axis, &place);
    }
    return s;
}

static status take_dimensions(legacy *f, const vtk_line *line)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!vtk_line_count(line, 1 + axis, &f->grid.n[axis])) {
            return fail(f, "has no dimensions where they should be");
        }
    }
    return io_array_builder_add_block(f->builder, &f->grid, &f->block);
}

static bool take_reals(const vtk_line *line, double out[3])
{
    return vtk_line_real(line, 1, &out[0]) && vtk_line_real(line, 2, &out[1]) &&
           vtk_line_real(line, 3, &out[2]);
}

/* ---- Fields ------------------------------------------------------------------------ */

/* Turns %20 and its like into characters. */
static void decode_name(const char *from, char out[VTK_WORD])
{
    size_t length = 0;
    for (; *from != '\0'; from++) {
        unsigned code;
        const bool is_code = from[0] == '%' && sscanf(from + 1, "%2x", &code) == 1;
        out[length++] = is_code ? (char)code : *from;
        from += is_code ? 2 : 0;
    }
    out[length] = '\0';
}

/* Adds all components of an array as fields. */
static status add_fields(legacy *f, const char *name, const legacy_array *array)
{
    char plain[VTK_WORD];
    int64_t n[3];
    status s = STATUS_OK;
    io_array_counts(f->grid.n, f->location, n);
    decode_name(name, plain);
    if (!f->has_location || array->tuples != product(n)) {
        return STATUS_OK; /* of the whole data set, as a time */
    }
    if (array->is_omitted) {
        return io_catalog_omit(f->builder->catalog,
                               "array '%s': karman reads neither texts nor packed bits",
                               plain);
    }
    for (int c = 0; c < array->components && s == STATUS_OK; c++) {
        const io_array_field field = {plain, f->location, c, (int)array->components,
                                      NULL};
        const io_array_place place = place_of(f, array, n, c);
        s = io_array_builder_add_field(f->builder, f->block, 0, &field, &place);
    }
    return s;
}

static int64_t tuples_here(const legacy *f)
{
    int64_t n[3];
    io_array_counts(f->grid.n, f->location, n);
    return product(n);
}

/* SCALARS name type [components], and a line LOOKUP_TABLE */
static status take_scalars(legacy *f, const vtk_line *line)
{
    int64_t components = 1;
    vtk_line table;
    legacy_array array;
    if (line->count < 3 || (line->count > 3 && !vtk_line_count(line, 3, &components))) {
        return fail(f, "has scalars without a name and a type");
    }
    const long here = ftell(f->stream);
    if (!vtk_line_read(f->stream, &table) || !vtk_line_is(&table, "LOOKUP_TABLE")) {
        fseek(f->stream, here, SEEK_SET);
    }
    status s = take_array(f, line->word[2], tuples_here(f), components, &array);
    return s == STATUS_OK ? add_fields(f, line->word[1], &array) : s;
}

/* VECTORS name type, and so on */
static status take_tuples(legacy *f, const vtk_line *line, int64_t components)
{
    legacy_array array;
    if (line->count < 3) {
        return fail(f, "has vectors without a name and a type");
    }
    status s =
        take_array(f, line->word[line->count - 1], tuples_here(f), components, &array);
    return s == STATUS_OK ? add_fields(f, line->word[1], &array) : s;
}

/* FIELD name arrays; each: name components tuples type */
static status take_field(legacy *f, const vtk_line *line)
{
    int64_t arrays, components, tuples;
    status s = STATUS_OK;
    if (!vtk_line_count(line, 2, &arrays)) {
        return fail(f, "has a field without a number of arrays");
    }
    for (int64_t n = 0; n < arrays && s == STATUS_OK; n++) {
        vtk_line head;
        legacy_array array;
        if (!vtk_line_read(f->stream, &head)) {
            return fail(f, "ends inside a field");
        }
        if (vtk_line_is(&head, "METADATA")) { /* it ends at an empty line, as all do */
            return fail(f, "has metadata inside a field, which karman does not read");
        }
        if (!vtk_line_count(&head, 1, &components) ||
            !vtk_line_count(&head, 2, &tuples) || head.count < 4) {
            return fail(f, "has an array of a field without sizes");
        }
        s = take_array(f, head.word[3], tuples, components, &array);
        s = s == STATUS_OK ? add_fields(f, head.word[0], &array) : s;
    }
    return s;
}

/* Metadata end at an empty line. */
static void pass_metadata(legacy *f)
{
    char text[VTK_LINE];
    while (fgets(text, sizeof text, f->stream) &&
           strspn(text, " \t\r\n") < strlen(text)) {
    }
}

/* LOOKUP_TABLE name colours: four bytes, or numbers, each. */
static status pass_colors(legacy *f, const vtk_line *line, int word, int64_t components)
{
    int64_t count = tuples_here(f);
    legacy_array array;
    if (!vtk_line_count(line, word,
                        word == 2 && components == 4 ? &count : &components)) {
        return fail(f, "has colours without a number of them");
    }
    return take_array(f, f->is_text ? "float" : "unsigned_char", count, components,
                      &array);
}

/* ---- The file ---------------------------------------------------------------------- */

static status set_location(legacy *f, grid_location location)
{
    f->location = location;
    f->has_location = true;
    return STATUS_OK;
}

static status take_attribute(legacy *f, const vtk_line *line)
{
    return vtk_line_is(line, "POINT_DATA")     ? set_location(f, GRID_VERTEX)
           : vtk_line_is(line, "CELL_DATA")    ? set_location(f, GRID_CELL)
           : vtk_line_is(line, "SCALARS")      ? take_scalars(f, line)
           : vtk_line_is(line, "VECTORS")      ? take_tuples(f, line, 3)
           : vtk_line_is(line, "NORMALS")      ? take_tuples(f, line, 3)
           : vtk_line_is(line, "TENSORS")      ? take_tuples(f, line, 9)
           : vtk_line_is(line, "FIELD")        ? take_field(f, line)
           : vtk_line_is(line, "LOOKUP_TABLE") ? pass_colors(f, line, 2, 4)
           : vtk_line_is(line, "COLOR_SCALARS")
               ? pass_colors(f, line, 2, 0)
               : fail(f,
                      "has a line that karman does not know where a field should begin");
}

/* Describes the lines behind DATASET. */
static status take_lines(legacy *f)
{
    static const char *const axes[] = {"X_COORDINATES", "Y_COORDINATES", "Z_COORDINATES"};
    double origin[3] = {0.0, 0.0, 0.0}, spacing[3] = {0.0, 0.0, 0.0};
    vtk_line line;
    status s = STATUS_OK;
    while (s == STATUS_OK && vtk_line_read(f->stream, &line)) {
        int axis = 0;
        while (axis < 3 && !vtk_line_is(&line, axes[axis])) {
            axis++;
        }
        const bool is_origin = vtk_line_is(&line, "ORIGIN");
        const bool is_spacing =
            vtk_line_is(&line, "SPACING") || vtk_line_is(&line, "ASPECT_RATIO");
        if (vtk_line_is(&line, "DIMENSIONS")) {
            s = take_dimensions(f, &line);
        } else if (is_origin || is_spacing) {
            s = take_reals(&line, is_origin ? origin : spacing)
                    ? STATUS_OK
                    : fail(f, "has an origin or a spacing that is no three numbers");
        } else if (vtk_line_is(&line, "METADATA")) {
            pass_metadata(f);
        } else if (f->block < 0 && !vtk_line_is(&line, "FIELD")) {
            s = fail(f, "has no dimensions before its points");
        } else if (vtk_line_is(&line, "POINTS")) {
            s = take_points(f, &line);
        } else {
            s = axis < 3 ? take_axis(f, &line, axis) : take_attribute(f, &line);
        }
    }
    return s == STATUS_OK && spacing[0] != 0.0 ? take_ramps(f, origin, spacing) : s;
}

/* The first lines: version, title, ASCII or BINARY, DATASET. */
static status take_head(legacy *f)
{
    char text[VTK_LINE];
    vtk_line line;
    bool begins = fgets(text, sizeof text, f->stream) != NULL;
    begins = begins && fgets(text, sizeof text, f->stream); /* the title */
    begins = begins && vtk_line_read(f->stream, &line);
    f->is_text = begins && vtk_line_is(&line, "ASCII");
    if (!begins || (!f->is_text && !vtk_line_is(&line, "BINARY"))) {
        return fail(f, "says neither ASCII nor BINARY in its third line");
    }
    if (!vtk_line_read(f->stream, &line) || !vtk_line_is(&line, "DATASET") ||
        line.count < 2) {
        return fail(f, "names no data set in its fourth line");
    }
    if (strcasecmp(line.word[1], "STRUCTURED_GRID") != 0 &&
        strcasecmp(line.word[1], "STRUCTURED_POINTS") != 0 &&
        strcasecmp(line.word[1], "RECTILINEAR_GRID") != 0) {
        return base_fail(STATUS_INPUT,
                         "VTK file '%s' has a data set of the kind %s: karman draws "
                         "structured grids only",
                         f->path, line.word[1]);
    }
    return STATUS_OK;
}

status vtk_legacy_describe(const char *path, int32_t file, const char *name,
                           io_array_builder *builder)
{
    legacy f = {.path = path,
                .file = file,
                .stream = io_unpacked_stream(path),
                .builder = builder,
                .block = -1};
    if (!f.stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    snprintf(f.grid.name, sizeof f.grid.name, "%s", name);
    fseek(f.stream, 0, SEEK_END);
    f.size = ftell(f.stream);
    fseek(f.stream, 0, SEEK_SET);
    status s = take_head(&f);
    s = s == STATUS_OK ? take_lines(&f) : s;
    fclose(f.stream);
    return s;
}
