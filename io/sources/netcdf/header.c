#include "header.h"
#include "io/gzip/unpacked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A header that is being read. After a failure all reads give 0. */
typedef struct reader {
    FILE *stream;
    const char *path;
    int version; /* 1, 2, 5 */
    int64_t size;
    bool has_failed;
} reader;

bool netcdf_is(FILE *stream)
{
    char bytes[4];
    fseek(stream, 0, SEEK_SET);
    return fread(bytes, sizeof bytes, 1, stream) == 1 && memcmp(bytes, "CDF", 3) == 0 &&
           (bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5);
}

/* ---- Numbers and names ------------------------------------------------------------- */

static uint64_t take(reader *r, int bytes)
{
    uint64_t value = 0;
    for (int n = 0; n < bytes; n++) {
        const int c = r->has_failed ? EOF : getc(r->stream);
        r->has_failed |= c == EOF;
        value = value << 8 | (uint64_t)(c == EOF ? 0 : c);
    }
    return r->has_failed ? 0 : value;
}

/* A number of things; each has at least 4 bytes in the file, or 1 of a text. */
static int64_t take_count(reader *r)
{
    const uint64_t value = take(r, r->version == 5 ? 8 : 4);
    r->has_failed |= value > (uint64_t)r->size;
    return r->has_failed ? 0 : (int64_t)value;
}

static int64_t take_length(reader *r) /* of a dimension */
{
    const uint64_t value = take(r, r->version == 5 ? 8 : 4);
    r->has_failed |= value > UINT64_C(1) << 60;
    return r->has_failed ? 0 : (int64_t)value;
}

static void pass(reader *r, int64_t bytes)
{
    r->has_failed |= fseek(r->stream, (long)bytes, SEEK_CUR) != 0;
}

/* Takes `count` characters and the zeros that fill four bytes. */
static void take_text(reader *r, int64_t count, char *out, int64_t room)
{
    for (int64_t n = 0; n < count && !r->has_failed; n++) {
        const char c = (char)take(r, 1);
        if (n + 1 < room) {
            out[n] = c;
        }
    }
    out[r->has_failed ? 0 : count < room ? count : room - 1] = '\0';
    pass(r, (4 - count % 4) % 4);
}

static void take_name(reader *r, char out[NETCDF_NAME])
{
    take_text(r, take_count(r), out, NETCDF_NAME);
}

/* Begins a list: its tag, or 0, and its length. */
static int64_t take_list(reader *r, uint64_t tag)
{
    const uint64_t found = take(r, 4);
    const int64_t count = take_count(r);
    r->has_failed |= found != tag && !(found == 0 && count == 0);
    return r->has_failed ? 0 : count;
}

/* ---- Types ------------------------------------------------------------------------- */

enum { CHARACTERS = 2, TYPES = 11 };

/* The number of a type of netCDF; false: it is none. */
static bool find_type(uint64_t type, io_number *out)
{
    static const io_number types[TYPES + 1] = {
        0,          IO_INT8,  0,         IO_INT16,  IO_INT32, IO_FLOAT32,
        IO_FLOAT64, IO_UINT8, IO_UINT16, IO_UINT32, IO_INT64, IO_UINT64};
    *out = type <= TYPES ? types[type] : 0;
    return type >= 1 && type <= TYPES && type != CHARACTERS;
}

static double make_number(io_number type, uint64_t bits)
{
    float single;
    double value;
    const uint32_t low = (uint32_t)bits;
    switch (type) {
    case IO_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case IO_FLOAT64:
        memcpy(&value, &bits, sizeof value);
        return value;
    case IO_INT8:
        return (int8_t)bits;
    case IO_INT16:
        return (int16_t)bits;
    case IO_INT32:
        return (int32_t)bits;
    case IO_INT64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

/* ---- Attributes -------------------------------------------------------------------- */

static char *find_text(netcdf_attributes *a, const char *name)
{
    return strcmp(name, "units") == 0           ? a->units
           : strcmp(name, "standard_name") == 0 ? a->standard
           : strcmp(name, "axis") == 0          ? a->axis
           : strcmp(name, "positive") == 0      ? a->positive
           : strcmp(name, "coordinates") == 0   ? a->coordinates
           : strcmp(name, "title") == 0         ? a->title
           : strcmp(name, "_Unsigned") == 0     ? a->is_unsigned
                                                : NULL;
}

static double *find_numbers(netcdf_attributes *a, const char *name, int **count)
{
    const struct {
        const char *name;
        double *numbers;
        int *count;
    } all[] = {{"_FillValue", a->fill, &a->nfill},
               {"missing_value", a->missing, &a->nmissing},
               {"scale_factor", a->scale, &a->nscale},
               {"add_offset", a->offset, &a->noffset}};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        if (strcmp(name, all[n].name) == 0) {
            *count = all[n].count;
            return all[n].numbers;
        }
    }
    return NULL;
}

static void take_attribute(reader *r, netcdf_attributes *out)
{
    char name[NETCDF_NAME], ignored[NETCDF_TEXT];
    io_number type;
    take_name(r, name);
    const uint64_t code = take(r, 4);
    const int64_t count = take_count(r);
    if (code == CHARACTERS) {
        char *text = find_text(out, name);
        take_text(r, count, text ? text : ignored, NETCDF_TEXT);
        return;
    }
    r->has_failed |= !find_type(code, &type);
    const int bytes = r->has_failed ? 1 : (int)io_number_size(type);
    int *known = NULL;
    double *numbers = find_numbers(out, name, &known);
    int64_t read = 0;
    for (; numbers && read < count && read < NETCDF_NUMBERS && !r->has_failed; read++) {
        numbers[read] = make_number(type, take(r, bytes));
        *known = (int)read + 1;
    }
    pass(r, (count - read) * bytes + (4 - count * bytes % 4) % 4);
}

static void take_attributes(reader *r, netcdf_attributes *out)
{
    const int64_t count = take_list(r, 12);
    for (int64_t n = 0; n < count && !r->has_failed; n++) {
        take_attribute(r, out);
    }
}

/* ---- Dimensions and variables ------------------------------------------------------ */

static void *make_list(reader *r, int64_t count, size_t size)
{
    void *list = calloc((size_t)count + 1, size);
    r->has_failed |= list == NULL;
    return list;
}

static void take_dimensions(reader *r, int64_t records, netcdf_header *out)
{
    const int64_t count = take_list(r, 10);
    out->dimensions = make_list(r, count, sizeof *out->dimensions);
    for (int64_t n = 0; n < count && !r->has_failed; n++) {
        netcdf_dimension *dimension = &out->dimensions[n];
        take_name(r, dimension->name);
        dimension->count = take_length(r);
        dimension->is_record = dimension->count == 0;
        dimension->count = dimension->is_record ? records : dimension->count;
        out->ndimensions++;
    }
}

static bool is_recorded(const netcdf_header *header, const netcdf_variable *variable)
{
    return variable->rank > 0 && header->dimensions[variable->dimensions[0]].is_record;
}

/* Bytes between neighbours along the dimensions but that of records. The bytes of all
 * values of a record; beyond 2^60: 0, and no variable of numbers. */
static int64_t find_strides(const netcdf_header *header, netcdf_variable *variable)
{
    int64_t bytes = (int64_t)io_number_size(variable->type);
    for (int n = variable->rank - 1; n >= 0; n--) {
        const int64_t count = header->dimensions[variable->dimensions[n]].count;
        variable->stride[n] = bytes;
        if (n == 0 && is_recorded(header, variable)) {
            break;
        }
        if (count > 0 && bytes > (INT64_C(1) << 60) / count) {
            variable->is_number = false;
            return 0;
        }
        bytes *= count;
    }
    return bytes;
}

static void take_variable(reader *r, const netcdf_header *header, netcdf_variable *out)
{
    take_name(r, out->name);
    const int64_t rank = take_count(r);
    for (int64_t n = 0; n < rank && !r->has_failed; n++) {
        const int64_t dimension = take_length(r);
        r->has_failed |= dimension >= header->ndimensions;
        if (n < NETCDF_AXES && !r->has_failed) {
            out->dimensions[n] = (int)dimension;
        }
    }
    out->rank = rank < NETCDF_AXES ? (int)rank : NETCDF_AXES;
    take_attributes(r, &out->attributes);
    const uint64_t code = take(r, 4);
    take_length(r); /* its size, which does not hold large ones */
    out->begin = (int64_t)(take(r, r->version == 1 ? 4 : 8) & INT64_MAX);
    out->is_number = find_type(code, &out->type) && rank <= NETCDF_AXES;
    out->type = code == CHARACTERS ? IO_UINT8 : out->type;
    r->has_failed |= code < 1 || code > TYPES;
    if (out->attributes.is_unsigned[0] == 't' && out->type >= IO_INT8) {
        out->type += out->type % 2 == IO_INT8 % 2;
    }
}

/* Records hold a value, or an array, of each of their variables, filled to four bytes
 * unless there is only one. */
static void find_records(reader *r, netcdf_header *header)
{
    int64_t record = 0, last = 0;
    int count = 0;
    for (int n = 0; n < header->nvariables && !r->has_failed; n++) {
        const int64_t bytes = find_strides(header, &header->variables[n]);
        if (is_recorded(header, &header->variables[n])) {
            last = bytes;
            record += (bytes + 3) / 4 * 4;
            count++;
        }
        r->has_failed |= record > INT64_C(1) << 60;
    }
    record = count == 1 ? last : record;
    for (int n = 0; n < header->nvariables; n++) {
        if (is_recorded(header, &header->variables[n])) {
            header->variables[n].stride[0] = record;
        }
    }
}

static void take_variables(reader *r, netcdf_header *out)
{
    const int64_t count = take_list(r, 11);
    out->variables = r->has_failed ? NULL : make_list(r, count, sizeof *out->variables);
    for (int64_t n = 0; n < count && !r->has_failed; n++) {
        take_variable(r, out, &out->variables[n]);
        out->nvariables++;
    }
    find_records(r, out);
}

bool netcdf_is_complete(const netcdf_header *header, const netcdf_variable *variable)
{
    double end = (double)variable->begin + (double)io_number_size(variable->type);
    for (int n = 0; n < variable->rank; n++) {
        const int64_t count = header->dimensions[variable->dimensions[n]].count;
        if (count < 1) {
            return false;
        }
        end += (double)(count - 1) * (double)variable->stride[n];
    }
    return end <= (double)header->size;
}

status netcdf_header_read(const char *path, netcdf_header *out)
{
    reader r = {.path = path, .stream = io_unpacked_stream(path)};
    if (!r.stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    fseek(r.stream, 0, SEEK_END);
    out->size = r.size = ftell(r.stream);
    fseek(r.stream, 0, SEEK_SET);
    r.version = (int)(take(&r, 4) & 0xff);
    const uint64_t records = take(&r, r.version == 5 ? 8 : 4);
    /* All bits: the program that writes has not said how many yet. */
    r.has_failed |= records > (uint64_t)r.size;
    take_dimensions(&r, (int64_t)records, out);
    take_attributes(&r, &out->attributes);
    take_variables(&r, out);
    fclose(r.stream);
    return !r.has_failed ? STATUS_OK
                         : base_fail(STATUS_INPUT,
                                     "netCDF file '%s' has a damaged or unfinished "
                                     "header: write it again",
                                     path);
}

void netcdf_header_clear(netcdf_header *header)
{
    free(header->dimensions);
    free(header->variables);
    *header = (netcdf_header){.size = 0};
}

status netcdf_values_read(const char *path, const netcdf_header *header,
                          const netcdf_variable *variable, double **out)
{
    const int64_t count = header->dimensions[variable->dimensions[0]].count;
    reader r = {.path = path, .stream = io_unpacked_stream(path)};
    double *values = malloc((size_t)count * sizeof *values + 1);
    for (int64_t n = 0; n < count && values && r.stream; n++) {
        const int64_t at = variable->begin + n * variable->stride[0];
        r.has_failed |= fseek(r.stream, (long)at, SEEK_SET) != 0;
        values[n] =
            make_number(variable->type, take(&r, (int)io_number_size(variable->type)));
    }
    const bool is_there = r.stream && !r.has_failed;
    if (r.stream) {
        fclose(r.stream);
    }
    *out = values;
    return !values    ? base_fail_memory((size_t)count, "the times of a file")
           : is_there ? STATUS_OK
                      : base_fail(STATUS_INPUT, "file '%s' cannot be read", path);
}
