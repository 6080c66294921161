/* The frame of an application, for karman tune. */
#ifndef MESSAGES_TUNE_FRAME_H
#define MESSAGES_TUNE_FRAME_H

#include "base/status.h"
#include "composite/rules.h"

#include <mpi.h>
#include <stdbool.h>

enum { TUNE_PATH = 512 };

/* A frame that was rendered. Zero is none. */
typedef struct tune_frame {
    int width, height;
    composite_target target; /* of the config's pictures */
    char folder[TUNE_PATH];  /* of rank 0, for a while; "" on the others and if none */
    char timings[TUNE_PATH + 32];
} tune_frame;

/*
 * Renders the last frame of a config into a folder for temporary files, with timings,
 * which tell the active pixels of all ranks. Ranks may share bytes. Collective. Errors,
 * the same on all ranks: those of frame_render; STATUS_USAGE if images are not blended;
 * STATUS_OUTPUT. The frame must be cleared then, too.
 */
status tune_frame_render(MPI_Comm comm, const char *config, bool shares_bytes,
                         tune_frame *out);

/* Removes the folder. Local. */
void tune_frame_clear(tune_frame *frame);

#endif
