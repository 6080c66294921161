/* Writing and checking PNG files with libpng; the thread that does it is in png_writer.c.
 */
#include "io/png.h"

#include "io/file.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts from this length on are compressed. */
enum { LONG_TEXT = 1024 };

/* libpng leaves by longjmp, and says nothing: what went wrong is told by our own words.
 */
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

/* tEXt and zTXt hold Latin-1, so what is more than ASCII goes into an iTXt chunk. */
static int text_compression(const char *text)
{
    bool is_long = strlen(text) >= LONG_TEXT;
    if (is_ascii(text)) {
        return is_long ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE;
    }
    return is_long ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
}

/* libpng's own form of the texts; it changes none of them. */
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

/* A picture on its way into a file. */
typedef struct picture {
    int width, height;
    const uint8_t *rgb;
    int ntexts;
    png_text *texts;
} picture;

/* Everything between setjmp and its return: nothing that lives on is changed here. */
static bool write_chunks(png_structp png, png_infop info, FILE *file, const picture *what)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)what->width, (png_uint_32)what->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_text(png, info, what->texts, what->ntexts);
    png_write_info(png, info);
    for (int row = 0; row < what->height; row++) {
        png_write_row(png, what->rgb + (size_t)row * (size_t)what->width * 3);
    }
    png_write_end(png, info);
    return true;
}

/* io_file_contents of a picture. */
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

status io_png_write(const char *path, int width, int height, const uint8_t *rgb,
                    int ntexts, const io_png_text *texts)
{
    picture what = {width, height, rgb, ntexts, convert_texts(ntexts, texts)};
    if (!what.texts) {
        return base_fail_memory((size_t)ntexts * sizeof *what.texts, "a picture's texts");
    }
    status s = io_file_make(path, encode, &what);
    free(what.texts);
    return s;
}

/* What a complete picture is compared with. */
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
    return png_get_image_width(png, info) == (png_uint_32)want->width &&
           png_get_image_height(png, info) == (png_uint_32)want->height &&
           png_get_color_type(png, info) == PNG_COLOR_TYPE_RGB &&
           png_get_bit_depth(png, info) == 8 &&
           png_get_interlace_type(png, info) == PNG_INTERLACE_NONE;
}

/* Reads the whole file; any fault of it makes libpng jump back to where false is
 * returned. */
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
    uint8_t *row = malloc((size_t)width * 3);
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, leave, keep_quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool complete = row && info && check_chunks(png, info, file, row, &want);
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
    fclose(file);
    return complete;
}
