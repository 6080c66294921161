#include "attributes.h"

#include "describe.h"
#include "io/json/json.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The numbers of an attribute. */
typedef struct numbers {
    io_stored_type type;
    int count; /* 0: the attribute is missing, or is not a list of numbers */
    io_stored values[IO_MOST_FILLS];
} numbers;

/* The type as which numbers of an HDF5 type are read; false if it is not numeric. */
static bool find_type(hid_t type, io_stored_type *out)
{
    const H5T_class_t kind = H5Tget_class(type);
    *out = kind == H5T_FLOAT                   ? IO_STORED_FLOAT64
           : H5Tget_sign(type) == H5T_SGN_NONE ? IO_STORED_UINT64
                                               : IO_STORED_INT64;
    return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

hid_t io_hdf5_native_type(io_stored_type type)
{
    switch (type) {
    case IO_STORED_FLOAT32:
        return H5T_NATIVE_FLOAT;
    case IO_STORED_FLOAT64:
        return H5T_NATIVE_DOUBLE;
    case IO_STORED_INT64:
        return H5T_NATIVE_INT64;
    default:
        return H5T_NATIVE_UINT64;
    }
}

static void read_open(hid_t attribute, numbers *out)
{
    const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    if (count >= 1 && count <= IO_MOST_FILLS && type >= 0 &&
        find_type(type, &out->type) &&
        H5Aread(attribute, io_hdf5_native_type(out->type), out->values) >= 0) {
        out->count = (int)count;
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
}

/* Reads the numbers of an attribute; false if the attribute is missing. */
static bool read_numbers(hid_t dataset, const char *name, numbers *out)
{
    _Static_assert(sizeof(io_stored) == 8, "HDF5 writes values without gaps");
    out->count = 0;
    if (H5Aexists(dataset, name) <= 0) {
        return false;
    }
    const hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    if (attribute >= 0) {
        read_open(attribute, out);
        H5Aclose(attribute);
    }
    return true;
}

static double first_number(const numbers *found)
{
    return found->type == IO_STORED_FLOAT64  ? found->values[0].f64
           : found->type == IO_STORED_UINT64 ? (double)found->values[0].u64
                                             : (double)found->values[0].i64;
}

/* Reads a factor or an offset into *value and sets *is_scaled, if the attribute
 * exists. */
static status read_scale(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                         const char *name, double *value, bool *is_scaled)
{
    numbers found;
    if (!read_numbers(dataset->id, name, &found)) {
        return STATUS_OK;
    }
    if (found.count != 1 || !isfinite(first_number(&found))) {
        return base_fail(STATUS_INPUT,
                         "attribute '%s' of data set '%s' of file '%s' must be one "
                         "finite number: correct it, or remove it",
                         name, dataset->place.path, file->path);
    }
    *value = first_number(&found);
    *is_scaled = true;
    return STATUS_OK;
}

static io_stored_type stored_type(const io_hdf5_dataset *dataset)
{
    if (dataset->is_float) {
        return dataset->precision <= sizeof(float) ? IO_STORED_FLOAT32
                                                   : IO_STORED_FLOAT64;
    }
    return dataset->is_unsigned ? IO_STORED_UINT64 : IO_STORED_INT64;
}

/* netCDF's default fill value for a type; false for bytes, which have none. */
static bool find_default_fill(const io_hdf5_dataset *dataset, io_stored *out)
{
    static const int64_t of_signed[] = {-32767, -2147483647, INT64_MIN + 2};
    static const uint64_t of_unsigned[] = {UINT16_MAX, UINT32_MAX, UINT64_MAX - 1};
    const size_t bytes = dataset->precision;
    const int size = bytes == 2 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : -1;
    if (size < 0) {
        return false;
    }
    switch (stored_type(dataset)) {
    case IO_STORED_FLOAT32:
        out->f32 = 9.9692099683868690e36f;
        return size == 1;
    case IO_STORED_FLOAT64:
        out->f64 = 9.9692099683868690e36;
        return true;
    case IO_STORED_INT64:
        out->i64 = of_signed[size];
        return true;
    default:
        out->u64 = of_unsigned[size];
        return true;
    }
}

/*
 * netCDF marks parts that were never written with a default fill value of its own, unless
 * there is a _FillValue. Its library then also sets that value as the data set's fill
 * value in HDF5. Other fill values of HDF5 do not mean "missing": most often they are 0.
 */
static void add_default_fill(const io_hdf5_dataset *dataset, io_unpacking *unpacking)
{
    io_stored wanted = {.u64 = 0}, found = {.u64 = 0};
    H5D_fill_value_t defined = H5D_FILL_VALUE_DEFAULT;
    const hid_t list = H5Dget_create_plist(dataset->id);
    if (list >= 0 && find_default_fill(dataset, &wanted) &&
        H5Pfill_value_defined(list, &defined) >= 0 &&
        defined == H5D_FILL_VALUE_USER_DEFINED &&
        H5Pget_fill_value(list, io_hdf5_native_type(unpacking->type), &found) >= 0 &&
        memcmp(&wanted, &found, sizeof wanted) == 0) {
        io_unpacking_add_fill(unpacking, unpacking->type, wanted);
    }
    if (list >= 0) {
        H5Pclose(list);
    }
}

/* The value of an attribute as io_hdf5_value_text gives it; "" if it is missing. */
static void read_text(const io_hdf5_dataset *dataset, const char *name,
                      char text[IO_HDF5_TEXT_SIZE])
{
    const hid_t attribute =
        H5Aexists(dataset->id, name) > 0 ? H5Aopen(dataset->id, name, H5P_DEFAULT) : -1;
    text[0] = '\0';
    if (attribute >= 0) {
        io_hdf5_value_text(attribute, text);
        H5Aclose(attribute);
    }
}

/* Whether the attribute `positive` says that a coordinate counts depths. CF conventions,
 * section 4.3. */
static bool counts_down(const io_hdf5_dataset *dataset)
{
    char text[IO_HDF5_TEXT_SIZE];
    read_text(dataset, "positive", text);
    return strstr(text, "down") != NULL;
}

/* Whether a text in quotes names a unit: neither empty nor "1", which stands for none,
 * nor too long, nor something else than UTF-8. */
static bool is_unit(const char *text)
{
    const size_t length = strlen(text);
    json_t *checked = io_json_text(text);
    const bool is = length > 2 && length < IO_UNIT_SIZE + 2 && text[0] == '"' &&
                    text[length - 1] == '"' && strcmp(text, "\"1\"") != 0 &&
                    json_is_string(checked);
    json_decref(checked);
    return is;
}

void io_hdf5_unit_read(const io_hdf5_dataset *dataset, char unit[IO_UNIT_SIZE])
{
    char text[IO_HDF5_TEXT_SIZE];
    read_text(dataset, "units", text);
    if (text[0] == '\0') {
        read_text(dataset, "unit", text);
    }
    unit[0] = '\0';
    if (is_unit(text)) {
        text[strlen(text) - 1] = '\0';
        strcpy(unit, text + 1);
    }
}

bool io_hdf5_is_longitude(const io_hdf5_dataset *dataset)
{
    static const char *const names[] = {"lon", "longitude", "nav_lon", "xlong"};
    char unit[IO_HDF5_TEXT_SIZE], standard[IO_HDF5_TEXT_SIZE];
    read_text(dataset, "units", unit);
    read_text(dataset, "standard_name", standard);
    bool is = strstr(unit, "degrees_east") || strstr(unit, "degree_east") ||
              strstr(unit, "degrees_E") || strstr(standard, "longitude");
    const char *slash = strrchr(dataset->place.path, '/');
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        is = is || strcasecmp(slash ? slash + 1 : dataset->place.path, names[n]) == 0;
    }
    return is;
}

/* Turns depths so that z is up. */
static void turn_coordinate(const io_hdf5_dataset *dataset, io_unpacking *unpacking)
{
    if (counts_down(dataset)) {
        unpacking->is_scaled = true;
        unpacking->scale = -unpacking->scale;
        unpacking->offset = -unpacking->offset;
    }
}

status io_hdf5_unpacking_read(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              io_unpacking *out, const char **ignored)
{
    static const char *const fills[] = {"_FillValue", "missing_value"};
    io_unpacking unpacking = {.type = stored_type(dataset), .scale = 1.0, .offset = 0.0};
    *ignored = NULL;
    for (size_t n = 0; n < sizeof fills / sizeof fills[0]; n++) {
        numbers found;
        const bool is_there = read_numbers(dataset->id, fills[n], &found);
        if (is_there && found.count == 0) {
            *ignored = fills[n];
        }
        if (n == 0 && !is_there) {
            add_default_fill(dataset, &unpacking);
        }
        for (int v = 0; v < found.count; v++) {
            io_unpacking_add_fill(&unpacking, found.type, found.values[v]);
        }
    }
    status s =
        read_scale(file, dataset, "scale_factor", &unpacking.scale, &unpacking.is_scaled);
    if (s == STATUS_OK) {
        s = read_scale(file, dataset, "add_offset", &unpacking.offset,
                       &unpacking.is_scaled);
    }
    if (s == STATUS_OK) {
        if (dataset->place.is_grid) {
            turn_coordinate(dataset, &unpacking);
        }
        *out = unpacking;
    }
    return s;
}

void io_hdf5_unpacking_add(const io_data_config *config, io_unpacking *unpacking)
{
    for (int n = 0; n < config->nfills; n++) {
        const io_stored value = {.f64 = config->fills[n]};
        io_unpacking_add_fill(unpacking, IO_STORED_FLOAT64, value);
    }
}
