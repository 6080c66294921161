/* Arrays of VTK XML files as they are stored: in text, in base64, as bytes, compressed.
 * Source: Kitware, "VTK XML file formats" (docs.vtk.org), and vtkXMLDataParser. */
#ifndef IO_SOURCES_VTK_ENCODED_H
#define IO_SOURCES_VTK_ENCODED_H

#include "io/sources/arrays/arrays.h"

/* How an array is stored. */
enum {
    VTK_XML = 1,    /* of an XML file, not of a legacy one */
    VTK_TEXT = 2,   /* numbers in text */
    VTK_BASE64 = 4, /* header and values are in base64 */
    VTK_PACKED = 8, /* compressed in blocks: by zlib, */
    VTK_WIDE = 16,  /* numbers of the header have 64 bits, not 32 */
    VTK_BIG = 32,   /* most significant byte first */
    VTK_LZ4 = 64,   /* but not by zlib: by LZ4, */
    VTK_LZMA = 128  /* by LZMA, in the format of xz */
};

/*
 * An array: a place's `code` is its offset, its length, and its size with its form. All
 * are numbers of bytes.
 */
typedef struct vtk_encoded {
    int64_t offset, length; /* of what is stored, headers included; at most to the end of
                               the file */
    int64_t size;           /* of its decoded values */
    int form;               /* of those above */
} vtk_encoded;

void vtk_encoded_put(const vtk_encoded *array, io_array_place *place);

/* Whether a place is that of an array of an XML file. Local. */
bool vtk_encoded_is(const io_array_place *place);

/* Bytes of the header of an array that is not compressed. Local. */
int64_t vtk_encoded_header(const vtk_encoded *array);

/* Reads the header of an array, and compares its sizes with the array's and the file's.
 * Local. Errors: STATUS_INPUT: they do not fit; STATUS_MEMORY. */
status vtk_encoded_check(FILE *stream, const char *path, const vtk_encoded *array);

/* io_array_format.decode. Numbers keep their order of bytes; those in text have this
 * machine's. */
status vtk_encoded_decode(const char *path, const io_array_place *place, void **values,
                          int64_t *bytes);

/* An array and the file that it is in. */
typedef struct vtk_array_copy {
    const char *path;
    const io_array_place *place;
} vtk_array_copy;

/*
 * Whether two arrays of a block with n vertices have the same values. Of large ones that
 * are plain bytes, windows are compared: a grid that moves differs there, unless only a
 * small part of it does. Local. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status vtk_arrays_compare(const vtk_array_copy *a, const vtk_array_copy *b,
                          const int64_t n[3], bool *is_same);

#endif
