/* A filter of HDF5 that changes nothing. As a plugin it leaves a file where it is loaded:
 * HDF5 loads plugins that a data file asks for. */
#include "hostile_filter.h"

#include <H5PLextern.h>
#include <stdio.h>

static size_t copy(unsigned flags, size_t count, const unsigned *values, size_t bytes,
                   size_t *size, void **data)
{
    (void)flags, (void)count, (void)values, (void)size, (void)data;
    return bytes;
}

const H5Z_class2_t hostile_filter = {H5Z_CLASS_T_VERS, HOSTILE_FILTER, 1,    1,
                                     "hostile",        NULL,           NULL, copy};

H5PL_type_t H5PLget_plugin_type(void)
{
    return H5PL_TYPE_FILTER;
}

const void *H5PLget_plugin_info(void)
{
    FILE *file = fopen("loaded", "w");
    if (file) {
        fclose(file);
    }
    return &hostile_filter;
}
