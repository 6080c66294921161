#include "item.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

int xdmf_counts(const char *text, int most, int64_t *out)
{
    char *end = NULL;
    int count = 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at != '\0';
         at = end + strspn(end, " \t\r\n")) {
        const long long number = strtoll(at, &end, 10);
        if (end == at || count == most || number < 0 || number >= INT64_C(1) << 48) {
            return -1;
        }
        out[count++] = number;
    }
    return count;
}

/* ---- Uniform items ----------------------------------------------------------------- */

/* The type of numbers that are not in HDF5; -1: it is none. */
static int find_type(const xmlNode *element)
{
    static const struct {
        const char *name;
        int bytes; /* 0: any */
        io_number type;
    } types[] = {
        {"Float", 8, IO_FLOAT64}, {"Float", 4, IO_FLOAT32}, {"Int", 8, IO_INT64},
        {"Int", 4, IO_INT32},     {"Int", 2, IO_INT16},     {"Int", 1, IO_INT8},
        {"UInt", 8, IO_UINT64},   {"UInt", 4, IO_UINT32},   {"UInt", 2, IO_UINT16},
        {"UInt", 1, IO_UINT8},    {"Char", 0, IO_INT8},     {"UChar", 0, IO_UINT8},
        {"Short", 0, IO_INT16},   {"UShort", 0, IO_UINT16}};
    char name[16];
    double bytes = 4.0;
    const bool has_name = xml_attribute(element, "NumberType", name, sizeof name) ||
                          xml_attribute(element, "DataType", name, sizeof name);
    xml_reals(element, "Precision", 1, &bytes);
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        if (strcasecmp(types[n].name, has_name ? name : "Float") == 0 &&
            (types[n].bytes == 0 || types[n].bytes == (int)bytes)) {
            return (int)types[n].type;
        }
    }
    return -1;
}

/* The index of a heavy file in the table: the last ones are looked at first. */
static status find_file(xdmf_set *set, const char *path, int32_t *index)
{
    io_array_table *table = set->builder->table;
    const uint64_t key = base_lookup_name(path);
    int64_t at = 0, n;
    while ((n = base_lookup_next(&set->files, key, &at)) >= 0) {
        if (strcmp(table->files[n], path) == 0) {
            *index = (int32_t)n;
            return STATUS_OK;
        }
    }
    const status s = io_array_table_add_file(table, path, index);
    return s == STATUS_OK ? base_lookup_add(&set->files, key, *index) : s;
}

/* Numbers in text become float64, or float32 if that is their type. */
static status take_text(const xmlNode *element, int type, xdmf_array *out)
{
    const int64_t count = xdmf_count_values(out->rank, out->n);
    int64_t offset, length;
    if (!xml_text_place(element, &offset, &length) || count > length) {
        return xdmf_fail(element, "has an item of %" PRId64 " values with fewer numbers",
                         count);
    }
    out->place = (io_array_place){.type = type == IO_FLOAT32 ? IO_FLOAT32 : IO_FLOAT64,
                                  .is_coded = true,
                                  .code = {offset, count, XDMF_TEXT}};
    out->place.file = xdmf_document_of(element)->file;
    return STATUS_OK;
}

static status take_bytes(xdmf_set *set, const xmlNode *element, int type, xdmf_array *out)
{
    char file[XDMF_PATH], path[XDMF_PATH];
    struct stat about;
    double seek = 0.0;
    xml_reals(element, "Seek", 1, &seek);
    if (!xml_text(element, file, sizeof file)) {
        return xdmf_fail(element, "has a binary item that names no file");
    }
    status s = xdmf_path(element, file, path);
    if (s == STATUS_OK && stat(path, &about) != 0) {
        return xdmf_fail(element, "names the file '%s', which is not there", path);
    }
    const bool is_big = xdmf_is(element, "Endian", "Big");
    const double bytes = (double)xdmf_count_values(out->rank, out->n) *
                         (double)io_number_size((io_number)type);
    if (s == STATUS_OK && !(seek >= 0.0 && seek + bytes <= (double)about.st_size)) {
        return xdmf_fail(element,
                         "names the file '%s', which is too short for its values", path);
    }
    out->place = (io_array_place){.type = (io_number)type,
                                  .offset = (int64_t)seek,
                                  .swaps = is_big || xdmf_is(element, "Endian", "Little")
                                               ? io_arrays_swap(is_big)
                                               : false};
    return s == STATUS_OK ? find_file(set, path, &out->place.file) : s;
}

/* Splits "FILE:/path" where FILE is there, as both may hold colons; else at the first
 * one. */
static status split_heavy(const xmlNode *element, const char *text, char file[XDMF_PATH],
                          const char **path)
{
    char name[XDMF_PATH];
    struct stat about;
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
        *path = colon + 1;
        status s = xdmf_path(element, name, file);
        if (s != STATUS_OK || stat(file, &about) == 0) {
            return s;
        }
    }
    const char *colon = strchr(text, ':');
    *path = colon ? colon + 1 : "";
    return colon ? xdmf_fail(element, "names the file '%.*s', which is not there",
                             (int)(colon - text), text)
                 : xdmf_fail(element, "has an item '%.200s', and FILE.h5:/PATH is needed",
                             text);
}

static status take_heavy(xdmf_set *set, const xmlNode *element, xdmf_array *out)
{
    char text[XDMF_PATH], file[XDMF_PATH];
    const char *path = NULL;
    xdmf_heavy heavy;
    if (!xml_text(element, text, sizeof text)) {
        return xdmf_fail(element, "has an item of HDF5 that names no data set");
    }
    status s = split_heavy(element, text, file, &path);
    s = s == STATUS_OK ? xdmf_heavy_find(&set->heavy, file, path, &heavy) : s;
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t there = xdmf_count_values(heavy.rank, heavy.n);
    if (out->rank == 0) {
        out->rank = heavy.rank;
        memcpy(out->n, heavy.n, sizeof out->n);
    }
    if (xdmf_count_values(out->rank, out->n) != there) {
        return xdmf_fail(element,
                         "has an item of %" PRId64
                         " values, but data set '%s' of '%s' has "
                         "%" PRId64,
                         xdmf_count_values(out->rank, out->n), path, file, there);
    }
    out->place = heavy.place;
    memcpy(out->unit, heavy.unit, sizeof out->unit);
    return find_file(set, heavy.file, &out->place.file);
}

static status take_uniform(xdmf_set *set, const xmlNode *element, xdmf_item *out)
{
    char text[256], format[16] = "XML", compression[32] = "Raw";
    xdmf_array *array = &out->parts[0];
    const int type = find_type(element);
    xml_attribute(element, "Dimensions", text, sizeof text);
    array->rank = xdmf_counts(text, XDMF_AXES, array->n);
    if (array->rank < 0 || xdmf_count_values(array->rank, array->n) <= 0) {
        return xdmf_fail(element, "has an item of the dimensions '%s'", text);
    }
    if (!xml_attribute(element, "Format", format, sizeof format)) {
        strcpy(format, "XML");
    }
    if (!xml_attribute(element, "Compression", compression, sizeof compression)) {
        strcpy(compression, "Raw");
    }
    const bool is_heavy =
                   strcasecmp(format, "HDF") == 0 || strcasecmp(format, "HDF5") == 0,
               is_binary = strcasecmp(format, "Binary") == 0;
    out->count = 1;
    out->obstacle = !is_heavy && type < 0 ? "its type is none of numbers"
                    : is_binary && strcasecmp(compression, "Raw") != 0
                        ? "it is compressed"
                    : !is_heavy && !is_binary && strcasecmp(format, "XML") != 0
                        ? "its format is none of XML, HDF and Binary"
                        : NULL;
    if (out->obstacle) {
        return STATUS_OK;
    }
    status s = is_heavy    ? take_heavy(set, element, array)
               : is_binary ? take_bytes(set, element, type, array)
                           : take_text(element, type, array);
    xdmf_set_strides(array);
    return s;
}

/* ---- HyperSlab and JOIN ------------------------------------------------------------ */

/* Short texts may have entities for numbers. */
status xdmf_item_numbers(xdmf_set *set, const xmlNode *element, int count, double *out)
{
    xdmf_item item;
    double *numbers = NULL;
    status s = xdmf_resolve(element, &element);
    if (s != STATUS_OK || xdmf_text_numbers(element, count, out) == count) {
        return s;
    }
    s = xdmf_item_find(set, element, &item);
    if (s == STATUS_OK && (item.obstacle || xdmf_item_values(&item) != count)) {
        return xdmf_fail(element, "has an item of which %d numbers are needed", count);
    }
    s = s == STATUS_OK ? xdmf_item_read(set, &item, &numbers) : s;
    if (s == STATUS_OK) {
        memcpy(out, numbers, (size_t)count * sizeof *out);
    }
    free(numbers);
    return s;
}

/* Reads start, stride and count along each axis of a HyperSlab. */
static status read_slab(xdmf_set *set, const xmlNode *element, int rank,
                        int64_t slab[3][XDMF_AXES])
{
    double numbers[3 * XDMF_AXES];
    status s = xdmf_item_numbers(set, element, 3 * rank, numbers);
    for (int n = 0; n < 3 * rank && s == STATUS_OK; n++) {
        if (!(numbers[n] >= 0.0 && numbers[n] < 0x1p48)) {
            return xdmf_fail(element, "has a HyperSlab of impossible numbers");
        }
        slab[n / rank][n % rank] = (int64_t)numbers[n];
    }
    return s;
}

/* Start, stride and count, then the item that they select from. */
static status take_slab(xdmf_set *set, const xmlNode *element, xdmf_item *out)
{
    const xmlNode *selection = xdmf_first_item(element);
    const xmlNode *source = xdmf_next_item(selection);
    int64_t slab[3][XDMF_AXES];
    if (!source) {
        return xdmf_fail(element, "has a HyperSlab of fewer than two items");
    }
    status s = xdmf_item_find(set, source, out);
    if (s != STATUS_OK || out->obstacle) {
        return s;
    }
    xdmf_array *array = &out->parts[0];
    s = out->count > 1 ? xdmf_fail(element, "has a HyperSlab of a JOIN")
                       : read_slab(set, selection, array->rank, slab);
    for (int axis = 0; axis < array->rank && s == STATUS_OK; axis++) {
        const int64_t start = slab[0][axis], step = slab[1][axis], count = slab[2][axis];
        if (count < 1 || (step < 1 && count > 1) ||
            (double)start + (double)(count - 1) * (double)step >=
                (double)array->n[axis]) {
            return xdmf_fail(element, "has a HyperSlab that leaves its item");
        }
        array->place.offset += start * array->stride[axis];
        array->stride[axis] *= step;
        array->n[axis] = count;
    }
    return s;
}

/* Finds item n of the arguments of a function, from 0; NULL: there is none. */
static const xmlNode *find_argument(const xmlNode *element, long n)
{
    const xmlNode *one = xdmf_first_item(element);
    for (; one && n > 0; n--) {
        one = xdmf_next_item(one);
    }
    return one;
}

/* JOIN($0, $1, $2): the items are components. "$0" alone is that item. */
static status take_function(xdmf_set *set, const xmlNode *element, xdmf_item *out)
{
    char text[256];
    xml_attribute(element, "Function", text, sizeof text);
    const char *at = text + strspn(text, " ");
    at += strncasecmp(at, "JOIN", 4) == 0 ? 4 : 0;
    status s = STATUS_OK;
    out->count = 0;
    for (at += strspn(at, " (,;"); *at == '$' && s == STATUS_OK;
         at += strspn(at, " (,;")) {
        char *end = NULL;
        const xmlNode *argument = find_argument(element, strtol(at + 1, &end, 10));
        xdmf_item one;
        if (!argument || out->count == XDMF_PARTS) {
            return xdmf_fail(element, "has a function '%s' of items that are not there",
                             text);
        }
        s = xdmf_item_find(set, argument, &one);
        out->obstacle =
            s == STATUS_OK && one.count > 1 ? "it joins what is joined" : one.obstacle;
        if (s != STATUS_OK || out->obstacle) {
            return s;
        }
        out->parts[out->count++] = one.parts[0];
        at = end;
    }
    at += strspn(at, " )");
    out->obstacle = *at != '\0' || out->count == 0 ? "its function is not JOIN" : NULL;
    return s;
}

status xdmf_item_find(xdmf_set *set, const xmlNode *element, xdmf_item *out)
{
    char kind[32];
    *out = (xdmf_item){.count = 0};
    status s = xdmf_resolve(element, &element);
    if (s != STATUS_OK) {
        return s;
    }
    if (!xml_attribute(element, "ItemType", kind, sizeof kind)) {
        xml_attribute(element, "Type", kind, sizeof kind);
    }
    if (strcasecmp(kind, "HyperSlab") == 0) {
        return take_slab(set, element, out);
    }
    if (strcasecmp(kind, "Function") == 0) {
        return take_function(set, element, out);
    }
    if (kind[0] == '\0' || strcasecmp(kind, "Uniform") == 0) {
        return take_uniform(set, element, out);
    }
    out->obstacle = "it is none of Uniform, HyperSlab and Function";
    return STATUS_OK;
}
