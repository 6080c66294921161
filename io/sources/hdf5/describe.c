#include "describe.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 8, LONGEST_TEXT = 4096 };

/* Appends to `out`; a text that is too long is cut. */
static void append(char out[IO_HDF5_TEXT_SIZE], const char *text)
{
    const size_t length = strlen(out);
    snprintf(out + length, IO_HDF5_TEXT_SIZE - length, "%s", text);
}

/* ---- types ------------------------------------------------------------------------ */

static void compound_text(hid_t type, char out[IO_HDF5_TEXT_SIZE])
{
    const int members = H5Tget_nmembers(type);
    snprintf(out, IO_HDF5_TEXT_SIZE, "compound {");
    for (int n = 0; n < members && n < MOST_NUMBERS; n++) {
        char *name = H5Tget_member_name(type, (unsigned)n);
        append(out, n > 0 ? ", " : "");
        append(out, name ? name : "?");
        H5free_memory(name);
    }
    append(out, members > MOST_NUMBERS ? ", ...}" : "}");
}

static void number_text(hid_t type, const char *name, char out[IO_HDF5_TEXT_SIZE])
{
    const H5T_order_t order = H5Tget_order(type);
    snprintf(out, IO_HDF5_TEXT_SIZE, "%s%zu%s", name, 8 * H5Tget_size(type),
             order == H5T_ORDER_BE && H5Tget_size(type) > 1 ? " big-endian" : "");
}

void io_hdf5_type_text(hid_t type, char out[IO_HDF5_TEXT_SIZE])
{
    static const struct {
        H5T_class_t class;
        const char *name;
    } others[] = {{H5T_STRING, "text"},  {H5T_ENUM, "enumeration"},
                  {H5T_ARRAY, "arrays"}, {H5T_REFERENCE, "references"},
                  {H5T_OPAQUE, "bytes"}, {H5T_BITFIELD, "bits"},
                  {H5T_VLEN, "lists"}};
    const H5T_class_t class = H5Tget_class(type);
    snprintf(out, IO_HDF5_TEXT_SIZE, "an unknown type");
    if (class == H5T_FLOAT) {
        number_text(type, "float", out);
    } else if (class == H5T_INTEGER) {
        number_text(type, H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int", out);
    } else if (class == H5T_COMPOUND) {
        compound_text(type, out);
    }
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        if (others[n].class == class) {
            snprintf(out, IO_HDF5_TEXT_SIZE, "%s", others[n].name);
        }
    }
}

/* ---- values of attributes --------------------------------------------------------- */

/* Quotes a text. Line breaks and other control characters become spaces; long texts are
 * cut. */
static void quote(const char *text, char out[IO_HDF5_TEXT_SIZE])
{
    enum { SHOWN = 72 };
    size_t length = 0;
    out[length++] = '"';
    for (size_t n = 0; text[n] != '\0' && n < SHOWN; n++) {
        const unsigned char c = (unsigned char)text[n];
        out[length++] = c < ' ' || c == 0x7f ? ' ' : (char)c;
    }
    out[length] = '\0';
    append(out, strlen(text) > SHOWN ? "...\"" : "\"");
}

static bool fixed_text(hid_t attribute, hid_t type, char out[IO_HDF5_TEXT_SIZE])
{
    char text[LONGEST_TEXT + 1] = "";
    if (H5Tget_size(type) > LONGEST_TEXT || H5Aread(attribute, type, text) < 0) {
        return false;
    }
    quote(text, out);
    return true;
}

static bool variable_text(hid_t attribute, hid_t type, hid_t space,
                          char out[IO_HDF5_TEXT_SIZE])
{
    char *text = NULL;
    if (H5Aread(attribute, type, &text) < 0) {
        return false;
    }
    quote(text ? text : "", out);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
    return true;
}

static bool numbers_text(hid_t attribute, hid_t type, int count,
                         char out[IO_HDF5_TEXT_SIZE])
{
    const bool is_float = H5Tget_class(type) == H5T_FLOAT;
    double numbers[MOST_NUMBERS];
    int64_t integers[MOST_NUMBERS];
    if (H5Aread(attribute, is_float ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
                is_float ? (void *)numbers : (void *)integers) < 0) {
        return false;
    }
    out[0] = '\0';
    for (int n = 0; n < count; n++) {
        char number[32];
        if (is_float) {
            snprintf(number, sizeof number, "%s%.9g", n > 0 ? ", " : "", numbers[n]);
        } else {
            snprintf(number, sizeof number, "%s%" PRId64, n > 0 ? ", " : "", integers[n]);
        }
        append(out, number);
    }
    return true;
}

static bool short_value(hid_t attribute, hid_t type, hid_t space,
                        char out[IO_HDF5_TEXT_SIZE])
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_STRING && count == 1) {
        return H5Tis_variable_str(type) > 0 ? variable_text(attribute, type, space, out)
                                            : fixed_text(attribute, type, out);
    }
    return (class == H5T_FLOAT || class == H5T_INTEGER) && count >= 1 &&
           count <= MOST_NUMBERS && numbers_text(attribute, type, (int)count, out);
}

void io_hdf5_value_text(hid_t attribute, char out[IO_HDF5_TEXT_SIZE])
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    snprintf(out, IO_HDF5_TEXT_SIZE, "?");
    if (type >= 0 && space >= 0 && !short_value(attribute, type, space, out)) {
        char name[IO_HDF5_TEXT_SIZE];
        io_hdf5_type_text(type, name);
        snprintf(out, IO_HDF5_TEXT_SIZE, "(%lld of %.100s)",
                 (long long)H5Sget_simple_extent_npoints(space), name);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
}

/* ---- storage ---------------------------------------------------------------------- */

static void filters_text(hid_t list, char out[IO_HDF5_TEXT_SIZE])
{
    const int filters = H5Pget_nfilters(list);
    for (int n = 0; n < filters; n++) {
        unsigned flags, config;
        size_t values = 0;
        char name[64] = "";
        H5Pget_filter2(list, (unsigned)n, &flags, &values, NULL, sizeof name, name,
                       &config);
        append(out, ", ");
        append(out, name[0] != '\0' ? name : "an unnamed filter");
    }
}

void io_hdf5_storage_text(hid_t dataset, char out[IO_HDF5_TEXT_SIZE])
{
    hsize_t chunk[H5S_MAX_RANK];
    const hid_t list = H5Dget_create_plist(dataset);
    out[0] = '\0';
    if (list < 0) {
        return;
    }
    if (H5Pget_layout(list) == H5D_CHUNKED) {
        const int rank = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
        append(out, "chunks ");
        for (int axis = 0; axis < rank; axis++) {
            char number[32];
            snprintf(number, sizeof number, "%s%llu", axis > 0 ? " x " : "",
                     (unsigned long long)chunk[axis]);
            append(out, number);
        }
        filters_text(list, out);
    }
    H5Pclose(list);
}
