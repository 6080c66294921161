/* Reads the header of a PLOT3D file: its form and the place of each array. A file does
 * not say its form; it follows from the sizes of its blocks and the length of the file.
 */
#ifndef IO_SOURCES_PLOT3D_HEADER_H
#define IO_SOURCES_PLOT3D_HEADER_H

#include "form.h"

/*
 * Finds the header of an open file. `text`: the file as text; NULL if it is not. Local.
 * Errors: STATUS_INPUT: the file is truncated, of another kind, two-dimensional, or no
 * PLOT3D file; STATUS_MEMORY.
 */
status plot3d_header_read(const plot3d_request *request, int descriptor, int64_t size,
                          plot3d_text *text, plot3d_header *out);

/* Opens the file first, and closes it. A text is not counted, so that its length is
 * unknown. Fails, too, if a read failed while forms were tried. */
status plot3d_header_look(const plot3d_request *request, plot3d_header *out);

/*
 * For searches, after a look at a file that may be of another kind: STATUS_OK, without a
 * message, unless that look failed because of the disk or the system. Then it is the
 * failure: no search passes over a file that it could not read. One that is missing, or
 * that others keep for themselves, is passed over. Local.
 */
status plot3d_header_pass(status looked);

#endif
