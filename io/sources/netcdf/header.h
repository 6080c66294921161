/* The header of a classic netCDF file: CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit
 * data). Source: Unidata, "NetCDF Classic Format Specification". */
#ifndef IO_SOURCES_NETCDF_HEADER_H
#define IO_SOURCES_NETCDF_HEADER_H

#include "base/status.h"
#include "io/sources/arrays/arrays.h"

enum {
    NETCDF_NAME = 64,  /* longer names are cut */
    NETCDF_TEXT = 128, /* so are texts */
    NETCDF_AXES = 8,   /* most dimensions of a variable to be read */
    NETCDF_NUMBERS = 4 /* most numbers of an attribute to be read */
};

typedef struct netcdf_dimension {
    char name[NETCDF_NAME];
    int64_t count;
    bool is_record; /* `count` is that of the records */
} netcdf_dimension;

/* Attributes that karman knows. */
typedef struct netcdf_attributes {
    char units[NETCDF_TEXT], standard[NETCDF_TEXT], axis[NETCDF_TEXT];
    char positive[NETCDF_TEXT], coordinates[NETCDF_TEXT], title[NETCDF_TEXT];
    char is_unsigned[NETCDF_TEXT];
    double fill[NETCDF_NUMBERS], missing[NETCDF_NUMBERS];
    double scale[NETCDF_NUMBERS], offset[NETCDF_NUMBERS];
    int nfill, nmissing, nscale, noffset; /* 0: there is none */
} netcdf_attributes;

typedef struct netcdf_variable {
    char name[NETCDF_NAME];
    bool is_number; /* numbers in at most NETCDF_AXES dimensions */
    io_number type;
    int rank;
    int dimensions[NETCDF_AXES]; /* [rank], slowest first */
    int64_t begin;               /* byte */
    int64_t stride[NETCDF_AXES]; /* bytes along each dimension */
    netcdf_attributes attributes;
} netcdf_variable;

typedef struct netcdf_header {
    int64_t size; /* bytes of the file */
    int ndimensions, nvariables;
    netcdf_dimension *dimensions; /* [ndimensions] */
    netcdf_variable *variables;   /* [nvariables] */
    netcdf_attributes attributes; /* of the file */
} netcdf_header;

bool netcdf_is(FILE *stream);

/* Reads a header; call netcdf_header_clear also after a failure. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status netcdf_header_read(const char *path, netcdf_header *out);
void netcdf_header_clear(netcdf_header *header);

/* Whether the file has all values of a variable. Local. */
bool netcdf_is_complete(const netcdf_header *header, const netcdf_variable *variable);

/* Reads the values of a list, which is complete: *out is malloc'ed. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status netcdf_values_read(const char *path, const netcdf_header *header,
                          const netcdf_variable *variable, double **out);

#endif
