/* Writing and checking of PNG files with libpng. png_strip.c makes the strips;
 * png_writer.c has the writing thread. */
#include "io/picture/png.h" /* by its path: libpng has a png.h, too */

#include "io/file.h"
#include "png_filter.h"

#include <errno.h>
#include <math.h>
#include <png.h> /* NOLINT: another one than ours above */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const double METRES_PER_INCH = 0.0254;

/* Texts of at least this length are compressed. */
enum { LONG_TEXT = 1024, MOST_PIXEL_BYTES = 8 };

/* libpng leaves by longjmp and prints nothing: karman's own message tells the failure. */
static void leave(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void keep_quiet(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text > 127) {
            return false;
        }
    }
    return true;
}

/* tEXt and zTXt are Latin-1, so text beyond ASCII goes into an iTXt chunk. */
static int text_compression(const char *text)
{
    bool is_long = strlen(text) >= LONG_TEXT;
    if (is_ascii(text)) {
        return is_long ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE;
    }
    return is_long ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
}

/* The texts as libpng needs them; libpng does not change them. */
static png_text *convert_texts(int ntexts, const io_png_text *texts)
{
    png_text *converted = calloc((size_t)ntexts + 1, sizeof *converted);
    for (int t = 0; converted && t < ntexts; t++) {
        bool international = !is_ascii(texts[t].text);
        converted[t] = (png_text){
            .compression = text_compression(texts[t].text),
            .key = (png_charp)texts[t].keyword,
            .text = (png_charp)texts[t].text,
            .text_length = international ? 0 : strlen(texts[t].text),
            .itxt_length = international ? strlen(texts[t].text) : 0,
        };
    }
    return converted;
}

/* A picture to write. */
typedef struct picture {
    int width, height;
    io_png_format format;
    double dpi;
    const io_png_strips *strips;
    uint32_t adler32; /* of all strips */
    int ntexts;
    png_text *texts;
} picture;

/*
 * Writes the zlib stream (RFC 1950): a head that names deflate, a window of 32 KiB and
 * the fastest level; the strips; an empty last block, and the sum. Each goes into a chunk
 * of its own.
 */
static void write_stream(png_structp png, const picture *what)
{
    static const uint8_t head[] = {0x78, 0x01};
    const uint32_t sum = what->adler32;
    const uint8_t tail[] = {0x03,
                            0x00,
                            (uint8_t)(sum >> 24),
                            (uint8_t)(sum >> 16 & 0xff),
                            (uint8_t)(sum >> 8 & 0xff),
                            (uint8_t)(sum & 0xff)};
    const io_png_strips *strips = what->strips;
    png_write_chunk(png, (png_const_bytep) "IDAT", head, sizeof head);
    for (int64_t n = 0; n < strips->count; n++) {
        png_write_chunk(png, (png_const_bytep) "IDAT",
                        strips->data + strips->items[n].offset,
                        (size_t)strips->items[n].bytes);
    }
    png_write_chunk(png, (png_const_bytep) "IDAT", tail, sizeof tail);
}

/* All code between setjmp and its return. It changes no variable that is used afterwards.
 * libpng's png_write_end cannot be used: it knows only pixels that libpng compressed
 * itself. */
static bool write_chunks(png_structp png, png_infop info, FILE *file, const picture *what)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)what->width, (png_uint_32)what->height,
                 what->format.is_deep ? 16 : 8,
                 what->format.has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (what->dpi > 0.0) {
        const png_uint_32 per_metre = (png_uint_32)lround(what->dpi / METRES_PER_INCH);
        png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
    }
    png_set_text(png, info, what->texts, what->ntexts);
    png_write_info(png, info);
    write_stream(png, what);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    return true;
}

/* io_file_contents for a picture. */
static bool encode(FILE *file, const void *context)
{
    const picture *what = context;
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, keep_quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    errno = 0;
    bool written = info && write_chunks(png, info, file, what);
    int error = errno ? errno : ENOMEM;
    png_destroy_write_struct(&png, &info);
    errno = error;
    return written;
}

/* Combines the sums of all strips, which must be those of the picture, in order. */
static status combine(picture *what)
{
    const io_png_strips *strips = what->strips;
    const int64_t count = io_png_strip_count(what->width, what->height);
    const int64_t rows = io_png_strip_rows(what->width);
    const int64_t last = what->height - (count - 1) * rows;
    int64_t next = 0;
    uLong sum = adler32(0, NULL, 0);
    while (next < strips->count && strips->items[next].number == next) {
        const int64_t bytes =
            io_png_filter_bytes(what->width, io_png_pixel_bytes(what->format)) *
            (next == count - 1 ? last : rows);
        sum = adler32_combine(sum, (uLong)strips->items[next].adler32, (z_off_t)bytes);
        next++;
    }
    what->adler32 = (uint32_t)sum;
    if (next == count && strips->count == count) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INTERNAL,
                     "strip %lld of the %lld of a picture is missing or out of order",
                     (long long)next, (long long)count);
}

/* Makes the picture of a file; the caller frees out->texts. */
static status describe(const io_png_file *file, const io_png_strips *strips, picture *out)
{
    picture what = {.width = file->width,
                    .height = file->height,
                    .format = file->format,
                    .dpi = file->dpi,
                    .strips = strips,
                    .ntexts = file->ntexts};
    status s = combine(&what);
    if (s != STATUS_OK) {
        return s;
    }
    what.texts = convert_texts(file->ntexts, file->texts);
    if (!what.texts) {
        return base_fail_memory((size_t)file->ntexts * sizeof *what.texts,
                                "a picture's texts");
    }
    *out = what;
    return STATUS_OK;
}

status io_png_write_strips(const io_png_file *file, const io_png_strips *strips)
{
    picture what;
    status s = describe(file, strips, &what);
    if (s == STATUS_OK) {
        s = io_file_make(file->path, encode, &what);
        free(what.texts);
    }
    return s;
}

status io_png_encode_strips(const io_png_file *file, const io_png_strips *strips,
                            uint8_t **bytes, size_t *size)
{
    picture what;
    status s = describe(file, strips, &what);
    if (s != STATUS_OK) {
        return s;
    }
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    bool good = stream && encode(stream, &what);
    good = stream && fclose(stream) == 0 && good;
    free(what.texts);
    if (!good) {
        free(text);
        return base_fail_memory(0, "a picture");
    }
    *bytes = (uint8_t *)text;
    return STATUS_OK;
}

/* Compresses a picture in memory. */
static status deflate_picture(const io_png_file *file, const uint8_t *pixels,
                              io_png_strips *strips)
{
    const int64_t count = io_png_strip_count(file->width, file->height);
    const int64_t pitch =
        io_png_pixel_bytes(file->format) * io_png_strip_rows(file->width) * file->width;
    io_png_rows *rows = malloc((size_t)count * sizeof *rows);
    if (!rows) {
        return base_fail_memory((size_t)count * sizeof *rows, "strips of a picture");
    }
    for (int64_t n = 0; n < count; n++) {
        rows[n] = (io_png_rows){n, pixels + pitch * n, file->format};
    }
    status s = io_png_strips_deflate(file->width, file->height, count, rows, 1, strips);
    free(rows);
    return s;
}

status io_png_write(const io_png_file *file, const uint8_t *pixels)
{
    io_png_strips strips = {0};
    status s = deflate_picture(file, pixels, &strips);
    if (s == STATUS_OK) {
        s = io_png_write_strips(file, &strips);
    }
    io_png_strips_clear(&strips);
    return s;
}

/* The properties of a complete picture. */
typedef struct expectation {
    int width, height;
    const char *keyword, *text;
} expectation;

static bool has_text(png_structp png, png_infop info, const expectation *want)
{
    png_textp texts = NULL;
    int count = png_get_text(png, info, &texts, NULL);
    for (int t = 0; t < count; t++) {
        if (strcmp(texts[t].key, want->keyword) == 0) {
            return strcmp(texts[t].text, want->text) == 0;
        }
    }
    return false;
}

static bool has_shape(png_structp png, png_infop info, const expectation *want)
{
    const int color = png_get_color_type(png, info);
    return png_get_image_width(png, info) == (png_uint_32)want->width &&
           png_get_image_height(png, info) == (png_uint_32)want->height &&
           (color == PNG_COLOR_TYPE_RGB || color == PNG_COLOR_TYPE_RGBA) &&
           png_get_bit_depth(png, info) >= 8 &&
           png_get_interlace_type(png, info) == PNG_INTERLACE_NONE;
}

/* Reads the whole file. On any fault libpng jumps back, and false is returned. */
static bool check_chunks(png_structp png, png_infop info, FILE *file, uint8_t *row,
                         const expectation *want)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, file);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    png_set_user_limits(png, (png_uint_32)want->width, (png_uint_32)want->height);
    png_read_info(png, info);
    if (!has_shape(png, info, want) || !has_text(png, info, want)) {
        return false;
    }
    for (int y = 0; y < want->height; y++) {
        png_read_row(png, row, NULL);
    }
    png_read_end(png, NULL);
    return true;
}

bool io_png_is_complete(const char *path, int width, int height, const char *keyword,
                        const char *text)
{
    expectation want = {width, height, keyword, text};
    FILE *file = width > 0 && height > 0 ? fopen(path, "rb") : NULL;
    if (!file) {
        return false;
    }
    uint8_t *row = malloc((size_t)width * MOST_PIXEL_BYTES);
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, leave, keep_quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool complete = row && info && check_chunks(png, info, file, row, &want);
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
    fclose(file);
    return complete;
}
