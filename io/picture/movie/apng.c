/*
 * Animated PNG: the first picture as it is, and of the others their streams in chunks of
 * their own.
 *
 *     IHDR  pHYs…  acTL  fcTL IDAT…   fcTL fdAT…   fcTL fdAT…   IEND
 *                        picture 0    picture 1    picture 2
 */
#include "kind.h"

#include "io/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SIGNATURE = 8, AROUND = 12 /* bytes of a chunk beside its data */ };

static status fail(const io_movie *movie)
{
    return base_fail(STATUS_OUTPUT, "output.movie: '%s' cannot be written: %s",
                     movie->path, strerror(errno));
}

static void store32(uint8_t *bytes, uint32_t value)
{
    for (int n = 0; n < 4; n++) {
        bytes[n] = (uint8_t)(value >> (24 - 8 * n));
    }
}

static uint32_t load32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* Writes a chunk, whose data are in two parts. */
static bool write_chunk(FILE *file, const char *name, const uint8_t *head, size_t nhead,
                        const uint8_t *data, size_t size)
{
    uint8_t number[4];
    uLong sum = crc32(crc32(0, (const Bytef *)name, 4), head, (uInt)nhead);
    sum = size > 0 ? crc32(sum, data, (uInt)size) : sum;
    store32(number, (uint32_t)(nhead + size));
    bool works = fwrite(number, 1, 4, file) == 4 && fwrite(name, 1, 4, file) == 4 &&
                 fwrite(head, 1, nhead, file) == nhead &&
                 (size == 0 || fwrite(data, 1, size, file) == size);
    store32(number, (uint32_t)sum);
    return works && fwrite(number, 1, 4, file) == 4;
}

/* The number of frames, which is written again at the end. */
static bool write_count(io_movie *movie)
{
    uint8_t data[8] = {0};
    store32(data, (uint32_t)movie->frames);
    return write_chunk(movie->file, "acTL", data, sizeof data, NULL, 0);
}

static bool write_control(io_movie *movie, const uint8_t *header)
{
    enum { SIZES = 4, DELAY = 20, PARTS = 1000 };
    uint8_t data[26] = {0};
    const long delay = lround(fmin(fmax(PARTS / movie->rate, 1.0), 65535.0));
    store32(data, movie->sequence++);
    memcpy(data + SIZES, header, 8);
    data[DELAY] = (uint8_t)(delay >> 8);
    data[DELAY + 1] = (uint8_t)delay;
    data[DELAY + 2] = (uint8_t)(PARTS >> 8);
    data[DELAY + 3] = (uint8_t)(PARTS & 0xff);
    return write_chunk(movie->file, "fcTL", data, sizeof data, NULL, 0);
}

static bool write_stream(io_movie *movie, const uint8_t *data, size_t size)
{
    uint8_t number[4];
    if (movie->frames == 0) {
        return write_chunk(movie->file, "IDAT", data, size, NULL, 0);
    }
    store32(number, movie->sequence++);
    return write_chunk(movie->file, "fdAT", number, sizeof number, data, size);
}

status movie_apng_open(io_movie *movie)
{
    const int descriptor = io_file_create(movie->temporary);
    movie->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    return movie->file ? STATUS_OK : fail(movie);
}

status movie_apng_add(io_movie *movie, const uint8_t *png, size_t size)
{
    const uint8_t *header = png + SIGNATURE + 8; /* width and height come first */
    bool has_begun = false;
    bool works = movie->frames > 0 || fwrite(png, 1, SIGNATURE, movie->file) == SIGNATURE;
    for (size_t at = SIGNATURE; works && at + AROUND <= size;) {
        const uint8_t *chunk = png + at;
        const size_t length = load32(chunk);
        if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            if (!has_begun && movie->frames == 0) {
                movie->count_at = ftell(movie->file);
                works = write_count(movie);
            }
            works = works && (has_begun || write_control(movie, header)) &&
                    write_stream(movie, chunk + 8, length);
            has_begun = true;
        } else if (movie->frames == 0 && !has_begun) {
            works = fwrite(chunk, 1, length + AROUND, movie->file) == length + AROUND;
        }
        at += length + AROUND;
    }
    return works ? STATUS_OK : fail(movie);
}

status movie_apng_close(io_movie *movie)
{
    if (!movie->file) {
        return STATUS_OK;
    }
    bool works = write_chunk(movie->file, "IEND", (const uint8_t *)"", 0, NULL, 0) &&
                 fseek(movie->file, movie->count_at, SEEK_SET) == 0 && write_count(movie);
    works = fclose(movie->file) == 0 && works;
    movie->file = NULL;
    return works ? STATUS_OK : fail(movie);
}
