/* The text chunks of a picture's file. */
#ifndef FRAME_PNG_TEXTS_H
#define FRAME_PNG_TEXTS_H

#include "io/picture/png.h"
#include "job.h"

enum { APP_TEXTS = 8, APP_FRAME_TEXT = 160 };

/* --resume compares this chunk and that of the config. */
#define APP_FRAME_KEYWORD "karman frame"

/* All chunks of a picture. */
typedef struct frame_texts {
    char camera[512], step[32], time[32], range[64], software[64], frame[APP_FRAME_TEXT];
    io_png_text list[APP_TEXTS]; /* they refer to this struct and to the job */
} frame_texts;

/* Writes the values that a picture depends on beside the text of its config: the time of
 * the solution, the found range, the colours of a map's file. Local. */
void frame_texts_frame(const frame_job *job, const io_step *step,
                       char text[APP_FRAME_TEXT]);

/* Whether the files of a step exist, and its picture is complete and of this config.
 * Local. */
bool frame_texts_are_there(const frame_job *job, const io_step *step);

/* Makes all chunks of the picture of a step. Local. */
void frame_texts_make(const frame_job *job, const io_step *step, frame_texts *out);

#endif
