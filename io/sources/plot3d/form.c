#include "form.h"

#include <stdio.h>
#include <stdlib.h>

const char *plot3d_kind_name(plot3d_kind kind)
{
    return kind == PLOT3D_GRID ? "grid" : kind == PLOT3D_Q ? "solution" : "function file";
}

void plot3d_header_clear(plot3d_header *header)
{
    free(header->blocks);
    free(header->extents);
    *header = (plot3d_header){0};
}

void plot3d_header_print(const plot3d_header *header, size_t size, char *text)
{
    if (header->records == PLOT3D_TEXT) {
        snprintf(text, size, "text%s", header->has_iblank ? ", iblank" : "");
        return;
    }
    snprintf(text, size, "%s, %s-endian, %s%s%s",
             header->real_size == 4 ? "float32" : "float64",
             header->is_big ? "big" : "little",
             header->records == PLOT3D_FORTRAN ? "Fortran records" : "no records",
             header->has_iblank ? ", iblank" : "",
             header->is_overflow ? ", header of OVERFLOW" : "");
}
