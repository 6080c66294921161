#include "binary.h"
#include "io/gzip/unpacked.h"
#include "io/sources/arrays/same.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Markers before records, which are single floats. */
#define ZONE        299.0
#define GEOMETRY    399.0
#define TEXT        499.0
#define LABELS      599.0
#define USER        699.0
#define AUXILIARY   799.0
#define OF_VARIABLE 899.0
#define END_OF_HEAD 357.0

enum { MARK = 8, NUMBER = 4, FORMATS = 6, BITS = 6 };

/* A file that is being read. */
typedef struct binary {
    const char *path;
    FILE *stream;
    int64_t size; /* bytes */
    int version;
    bool is_big;
    bool ends; /* something was read behind its end */
} binary;

bool tecplot_binary_is(FILE *stream)
{
    char mark[MARK] = "";
    fseek(stream, 0, SEEK_SET);
    return fread(mark, 1, sizeof mark, stream) == sizeof mark &&
           (memcmp(mark, "#!TDV", 5) == 0 || memcmp(mark, "#!SZPLT", 7) == 0);
}

static status cut_off(const binary *b)
{
    return ferror(b->stream) ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s",
                                         b->path, strerror(errno))
                             : tecplot_fail(b->path, "ends too early, or is damaged");
}

/* ---- Numbers ----------------------------------------------------------------------- */

static uint64_t read_bytes(binary *b, size_t count)
{
    unsigned char bytes[8] = "";
    uint64_t value = 0;
    b->ends = fread(bytes, 1, count, b->stream) != count || b->ends;
    for (size_t n = 0; n < count; n++) {
        value = value << 8 | bytes[b->is_big ? n : count - 1 - n];
    }
    return value;
}

static int32_t read_integer(binary *b)
{
    return (int32_t)read_bytes(b, NUMBER);
}

static double read_float(binary *b)
{
    const uint32_t bits = (uint32_t)read_bytes(b, NUMBER);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double read_double(binary *b)
{
    const uint64_t bits = read_bytes(b, sizeof(double));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads a text, each of whose characters is a whole number. */
static void read_text(binary *b, char out[GRID_NAME_SIZE])
{
    size_t length = 0;
    for (int32_t c = read_integer(b); c != 0 && !b->ends; c = read_integer(b)) {
        if (length + 1 < GRID_NAME_SIZE) {
            out[length++] = (char)c;
        }
    }
    out[length] = '\0';
}

/* ---- Head of the file -------------------------------------------------------------- */

/* Takes the mark "#!TDV112", and the order of bytes. */
static status take_mark(binary *b, tecplot_file *file)
{
    char mark[MARK + 1] = "";
    b->ends = fread(mark, 1, MARK, b->stream) != MARK;
    b->version = atoi(mark + 5);
    if (mark[2] != 'T' || b->version < 101 || (b->version > 112 && b->version != 191)) {
        return base_fail(STATUS_INPUT,
                         "Tecplot file '%s' is of a kind that karman does not read "
                         "('%.8s'): save it as .plt of version 112, or as text, with "
                         "Tecplot 360",
                         b->path, mark);
    }
    b->is_big = read_integer(b) != 1;
    file->is_binary = true;
    file->swaps = io_arrays_swap(b->is_big);
    file->kind = b->version >= 109 ? read_integer(b) : 0;
    return b->ends ? cut_off(b) : STATUS_OK;
}

static status take_variables(binary *b, tecplot_file *file)
{
    read_text(b, file->title);
    const int32_t count = read_integer(b);
    if (b->ends || count < 0 || count > TECPLOT_VARIABLES) {
        return b->ends ? cut_off(b)
                       : tecplot_fail(b->path, "has more than 512 variables");
    }
    const size_t bytes = ((size_t)count + 1) * sizeof *file->variables;
    file->variables = calloc(1, bytes);
    if (!file->variables) {
        return base_fail_memory(bytes, "names of variables");
    }
    file->nvariables = count;
    for (int n = 0; n < count; n++) {
        read_text(b, file->variables[n]);
    }
    return b->ends ? cut_off(b) : STATUS_OK;
}

/* Passes over a text, a number and a text. */
static void pass_auxiliary(binary *b)
{
    char text[GRID_NAME_SIZE];
    read_text(b, text);
    read_integer(b);
    read_text(b, text);
}

/* Takes sizes of an ordered zone; or points and elements of another, which is passed
 * over: n[0], n[1]. */
static void take_sizes(binary *b, int32_t type, tecplot_zone *zone)
{
    enum { ORDERED = 0, POLYGONS = 6 };
    zone->is_ordered = type == ORDERED;
    zone->n[0] = read_integer(b);
    for (int n = 0; n < (b->version >= 111 ? 4 : 1) && type >= POLYGONS; n++) {
        read_integer(b);
    }
    zone->n[1] = read_integer(b);
    zone->n[2] = read_integer(b);
    if (!zone->is_ordered) {
        zone->n[2] = 1;
        read_integer(b);
        read_integer(b);
    }
}

/* The number of a strand: it is stored from 0 on. -1: there is none. -2: Tecplot makes
 * one of all such zones. */
static int64_t strand_of(int32_t stored)
{
    const int64_t pending = INT64_C(1) << 32;
    return stored == -2 ? pending : stored < 0 ? 0 : (int64_t)stored + 1;
}

/* Takes the head of a zone, behind its marker. */
static status take_zone(binary *b, tecplot_file *file)
{
    tecplot_zone *zone = tecplot_file_add(file);
    if (!zone) {
        return STATUS_MEMORY;
    }
    read_text(b, zone->title);
    if (b->version >= 107) {
        read_integer(b); /* parent zone */
    }
    if (b->version >= 106) {
        zone->strand = strand_of(read_integer(b));
        zone->time = read_double(b);
        zone->has_time = zone->strand > 0 || zone->time != 0.0;
    }
    read_integer(b); /* colour */
    const int32_t type = read_integer(b);
    zone->is_block = b->version >= 112 || read_integer(b) == 0;
    if (read_integer(b) == 1) {
        for (int n = 0; n < file->nvariables; n++) {
            zone->arrays[n].is_cell = read_integer(b) == 1;
        }
    }
    if (b->version >= 108) {
        read_integer(b); /* neighbours of faces */
    }
    const int32_t neighbours = read_integer(b);
    if (neighbours != 0) {
        read_integer(b);
    }
    if (neighbours != 0 && b->version >= 108 && type != 0) {
        read_integer(b);
    }
    take_sizes(b, type, zone);
    while (!b->ends && read_integer(b) == 1) {
        pass_auxiliary(b);
    }
    return b->ends ? cut_off(b) : STATUS_OK;
}

/* Passes over a geometry or a text of a picture, up to the next marker of a zone or of
 * the end. All that stands there has 4 bytes, or 8. */
static void pass_drawing(binary *b)
{
    double marker = read_float(b);
    while (!b->ends && marker != ZONE && marker != END_OF_HEAD) {
        marker = read_float(b);
    }
    fseek(b->stream, -NUMBER, SEEK_CUR);
}

static status take_record(binary *b, tecplot_file *file, double marker)
{
    char text[GRID_NAME_SIZE];
    status s = STATUS_OK;
    if (marker == ZONE) {
        s = take_zone(b, file);
    } else if (marker == GEOMETRY || marker == TEXT) {
        pass_drawing(b);
    } else if (marker == LABELS) {
        for (int32_t count = read_integer(b); count > 0 && !b->ends; count--) {
            read_text(b, text);
        }
    } else if (marker == USER) {
        read_text(b, text);
    } else if (marker == AUXILIARY) {
        pass_auxiliary(b);
    } else if (marker == OF_VARIABLE) {
        read_integer(b);
        pass_auxiliary(b);
    } else if (!b->ends) {
        s = tecplot_fail(b->path, "has a record that karman does not know");
    }
    return s == STATUS_OK && b->ends ? cut_off(b) : s;
}

/* ---- Values ------------------------------------------------------------------------ */

static int32_t integer_at(const binary *b, const unsigned char *bytes)
{
    uint32_t value = 0;
    for (int n = 0; n < NUMBER; n++) {
        value = value << 8 | bytes[b->is_big ? n : NUMBER - 1 - n];
    }
    return (int32_t)value;
}

/* Whether the marker of a zone stands there, and formats of its variables behind it. */
static bool is_zone(const binary *b, const unsigned char *bytes, int nvariables)
{
    enum { BITS_OF_ZONE = 0x43958000 };
    bool is = integer_at(b, bytes) == BITS_OF_ZONE;
    for (int n = 1; n <= nvariables && is; n++) {
        const int32_t format = integer_at(b, bytes + (ptrdiff_t)n * NUMBER);
        is = format >= 1 && format <= FORMATS;
    }
    return is;
}

/* Moves behind the marker of the next zone. Zones that are no grids may have connections
 * before it. */
static bool find_zone(const binary *b, int nvariables)
{
    unsigned char bytes[1 << 14];
    const size_t head = ((size_t)nvariables + 1) * NUMBER;
    int64_t at = ftell(b->stream);
    size_t count;
    do {
        fseek(b->stream, (long)at, SEEK_SET);
        count = fread(bytes, 1, sizeof bytes, b->stream);
        for (size_t n = 0; n + head <= count; n++) {
            if (is_zone(b, bytes + n, nvariables)) {
                return fseek(b->stream, (long)(at + (int64_t)n + NUMBER), SEEK_SET) == 0;
            }
        }
        at += (int64_t)(sizeof bytes - head) + 1;
    } while (count == sizeof bytes);
    return false;
}

/* Takes the formats, and which variables are passive or shared. */
static void take_formats(binary *b, tecplot_file *file, tecplot_zone *zone)
{
    static const io_number types[] = {IO_FLOAT32, IO_FLOAT64, IO_INT32,
                                      IO_INT16,   IO_UINT8,   IO_UINT8};
    for (int n = 0; n < file->nvariables; n++) {
        const int32_t format = read_integer(b);
        zone->arrays[n].type = types[format >= 1 && format <= FORMATS ? format - 1 : 0];
        zone->arrays[n].first = format == BITS;
        file->has_bits |= format == BITS;
    }
    const bool has_passive = b->version >= 105 && read_integer(b) == 1;
    for (int n = 0; n < file->nvariables && has_passive; n++) {
        zone->arrays[n].first = read_integer(b) == 1 ? -1 : zone->arrays[n].first;
    }
    const bool has_shared = read_integer(b) == 1;
    for (int n = 0; n < file->nvariables && has_shared; n++) {
        zone->arrays[n].shared = read_integer(b);
        zone->arrays[n].is_shared = zone->arrays[n].shared >= 0;
    }
    read_integer(b); /* connections that are shared */
}

/* Whether a variable has numbers in this zone. */
static bool is_own(const tecplot_array *array)
{
    return !array->is_shared && array->first >= 0;
}

/* Values of a variable as they are stored: in cells there is a column more in all
 * directions but the last. */
static int64_t count_stored(const tecplot_zone *zone, bool is_cell)
{
    const int64_t *n = zone->n;
    const int last = n[2] > 1 ? 2 : n[1] > 1 ? 1 : 0;
    const int64_t all = n[0] * n[1] * n[2];
    return !zone->is_ordered        ? n[is_cell ? 1 : 0]
           : is_cell && n[last] > 1 ? all / n[last] * (n[last] - 1)
                                    : all;
}

/* Bytes of a variable. */
static int64_t size_of(const tecplot_zone *zone, const tecplot_array *array)
{
    const int64_t count = count_stored(zone, array->is_cell);
    return array->first == 1 ? (count + 7) / 8
                             : count * (int64_t)io_number_size(array->type);
}

/* Finds the values of a zone: variable by variable, or point by point. */
static status take_values(binary *b, const tecplot_file *file, tecplot_zone *zone)
{
    int64_t at = ftell(b->stream), record = 0;
    const int64_t points = count_stored(zone, false);
    for (int n = 0; n < file->nvariables; n++) {
        record +=
            is_own(&zone->arrays[n]) ? (int64_t)io_number_size(zone->arrays[n].type) : 0;
    }
    for (int n = 0; n < file->nvariables; n++) {
        tecplot_array *array = &zone->arrays[n];
        if (!is_own(array)) {
            continue;
        }
        const int64_t size = (int64_t)io_number_size(array->type);
        array->begin = zone->is_ordered && array->first == 0 ? at : -1;
        array->distance = zone->is_block ? size : record;
        array->count = count_stored(zone, array->is_cell);
        at += zone->is_block ? size_of(zone, array) : size;
    }
    at += zone->is_block ? 0 : (points - 1) * record;
    return at <= b->size && fseek(b->stream, (long)at, SEEK_SET) == 0 ? STATUS_OK
                                                                      : cut_off(b);
}

/* Takes the data of a zone, which follow each other as the heads do. */
static status take_data(binary *b, tecplot_file *file, tecplot_zone *zone)
{
    if (!find_zone(b, file->nvariables)) {
        return cut_off(b);
    }
    take_formats(b, file, zone);
    for (int n = 0; n < file->nvariables && b->version >= 103; n++) {
        tecplot_array *array = &zone->arrays[n];
        if (is_own(array)) {
            array->least = read_double(b);
            array->most = read_double(b);
        }
    }
    if (b->ends) {
        return cut_off(b);
    }
    if (!tecplot_zone_has_sizes(zone)) {
        zone->is_ordered = false; /* a zone that was deleted has none */
        return STATUS_OK;
    }
    const status s = take_values(b, file, zone);
    zone->is_ordered = tecplot_zone_is_grid(zone);
    return s == STATUS_OK && zone->is_ordered ? tecplot_zone_share(file, zone) : s;
}

/* ---- The file ---------------------------------------------------------------------- */

static status read_file(binary *b, tecplot_file *file)
{
    status s = take_mark(b, file);
    s = s == STATUS_OK ? take_variables(b, file) : s;
    double marker = s == STATUS_OK ? read_float(b) : END_OF_HEAD;
    while (s == STATUS_OK && marker != END_OF_HEAD) {
        s = take_record(b, file, marker);
        marker = s == STATUS_OK ? read_float(b) : END_OF_HEAD;
    }
    for (int n = 0; n < file->nzones && s == STATUS_OK; n++) {
        s = take_data(b, file, &file->zones[n]);
    }
    return s;
}

status tecplot_binary_read(const char *path, tecplot_file *out)
{
    binary b = {.path = path, .stream = io_unpacked_stream(path)};
    out->path = path;
    if (!b.stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    fseek(b.stream, 0, SEEK_END);
    b.size = ftell(b.stream);
    fseek(b.stream, 0, SEEK_SET);
    const status s = read_file(&b, out);
    fclose(b.stream);
    return s;
}

/* ---- Comparing --------------------------------------------------------------------- */

bool tecplot_zone_same(const tecplot_file *file, const tecplot_zone *a,
                       const tecplot_zone *b, int variable)
{
    const tecplot_array *x = &a->arrays[variable], *y = &b->arrays[variable];
    const int64_t size = (int64_t)io_number_size(x->type);
    if (!file->is_binary || x->begin == y->begin) {
        return file->is_binary || x->hash == y->hash;
    }
    if (x->least != y->least || x->most != y->most || x->type != y->type ||
        x->distance != size || y->distance != size || x->count != y->count) {
        return false;
    }
    return io_array_same_bytes((const char *const[2]){file->path, file->path},
                               (const int64_t[2]){x->begin, y->begin}, x->count * size);
}
