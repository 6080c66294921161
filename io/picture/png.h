/* PNG files. The ranks that have the pixels compress them (io/picture/png_strip.h), and a
 * separate thread writes the file, and a float image with it, while the next frame
 * renders. */
#ifndef IO_PICTURE_PNG_H
#define IO_PICTURE_PNG_H

#include "base/status.h"
#include "float_image.h"
#include "png_strip.h"

#include <stdbool.h>
#include <stdint.h>

/* A text chunk: a keyword of at most 79 Latin-1 characters and its UTF-8 text. */
typedef struct io_png_text {
    const char *keyword;
    const char *text;
} io_png_text;

/* Keyword of the chunk that --resume compares. */
#define IO_PNG_CONFIG_KEYWORD "karman config"

/* A file to write. */
typedef struct io_png_file {
    const char *path;
    int width, height; /* pixels */
    int ntexts;
    const io_png_text *texts; /* [ntexts] */
    io_png_format format;
    double dpi; /* pixels per inch, for printing; 0: the file does not say */
} io_png_file;

/*
 * Writes a picture to a temporary name beside its path, then renames it. So a picture
 * appears complete or not at all. Missing folders are made. The strips are all strips of
 * the picture, in order. Local. Errors: STATUS_OUTPUT (read-only folder, disk full), with
 * the temporary file removed; STATUS_MEMORY; STATUS_INTERNAL if strips are missing or out
 * of order.
 */
status io_png_write_strips(const io_png_file *file, const io_png_strips *strips);

/* The same file in memory, whatever its path: *bytes is malloc'ed. Local. Errors:
 * STATUS_MEMORY, STATUS_INTERNAL as above. */
status io_png_encode_strips(const io_png_file *file, const io_png_strips *strips,
                            uint8_t **bytes, size_t *size);

/* The same for pixels in memory, [height][width] of the format, compressed by this
 * thread. */
status io_png_write(const io_png_file *file, const uint8_t *pixels);

/* Whether `path` is a complete PNG of this size, in any format, whose text chunk
 * `keyword` is `text`: every chunk up to IEND is present with the right CRC. Local. False
 * for a missing file. */
bool io_png_is_complete(const char *path, int width, int height, const char *keyword,
                        const char *text);

/* A thread that writes pictures one after the other. */
typedef struct io_png_writer io_png_writer;

/* Errors: STATUS_MEMORY. */
status io_png_writer_create(io_png_writer **out);

/*
 * Queues a picture and, unless NULL, the float image that belongs to it, which is written
 * first. All is copied except the data of the strips and the float image, which the
 * writer takes over (also on failure); *strips and *floats become zero. Waits while two
 * pictures are queued, so memory stays bounded. If an earlier picture failed, returns
 * that failure and drops this picture. Errors: STATUS_MEMORY, and those of
 * io_png_write_strips and io_float_file_write.
 */
status io_png_writer_submit(io_png_writer *writer, const io_png_file *file,
                            io_png_strips *strips, io_float_file *floats);

/* Takes the bytes of a picture's file. */
typedef status io_png_take(void *context, const uint8_t *bytes, size_t size);

/* From now on the thread hands on the files of all pictures in their order, also of those
 * without a path. The context is borrowed. */
void io_png_writer_set_take(io_png_writer *writer, io_png_take *take, void *context);

/* Queues a picture that is there already, for `take` alone; without it, does nothing.
 * Errors: STATUS_MEMORY, STATUS_INPUT. */
status io_png_writer_repeat(io_png_writer *writer, const char *path);

/* Waits until everything is written. Returns the first failure. */
status io_png_writer_finish(io_png_writer *writer);

/* Clears failures: later pictures are written. */
void io_png_writer_forgive(io_png_writer *writer);

/* Finishes, then frees. */
void io_png_writer_destroy(io_png_writer **writer);

#endif
