#include "text.h"
#include "io/gzip/unpacked.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 128 }; /* bytes of a number */

/* Whether a sign begins the next number: -1.00000e+00-1.00000e+00 fills its columns. */
static bool is_next(int c, const char *word, size_t length)
{
    return (c == '-' || c == '+') && length > 0 &&
           isdigit((unsigned char)word[length - 1]) &&
           (memchr(word, 'e', length) || memchr(word, 'E', length));
}

/* Reads the characters of a number; false at the end of the file or the text of an
 * element, or if it is too long. */
static bool read_word(FILE *stream, char word[WORD])
{
    int c = getc_unlocked(stream);
    size_t length = 0;
    while (c != EOF && isspace(c)) {
        c = getc_unlocked(stream);
    }
    for (; c != EOF && c != '<' && !isspace(c) && length + 1 < WORD &&
           !is_next(c, word, length);
         c = getc_unlocked(stream)) {
        word[length++] = (char)c;
    }
    word[length] = '\0';
    if (c != EOF) {
        ungetc(c, stream);
    }
    return length > 0 && length + 1 < WORD;
}

bool io_array_text_skip(FILE *stream, int64_t count)
{
    char word[WORD];
    bool all = true;
    for (int64_t n = 0; n < count && all; n++) {
        all = read_word(stream, word);
    }
    return all;
}

status io_array_text_read(FILE *stream, const char *path, int64_t count, double *out)
{
    char word[WORD];
    for (int64_t n = 0; n < count; n++) {
        char *end = word;
        const bool is_there = read_word(stream, word);
        out[n] = is_there ? strtod(word, &end) : 0.0;
        if (ferror(stream)) { /* the word may be cut */
            return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                             strerror(errno));
        }
        if (!is_there || *end != '\0') {
            return base_fail(STATUS_INPUT, "file '%s' %s: write it again", path,
                             is_there ? "has something that is no number among numbers"
                                      : "ends inside an array");
        }
    }
    return STATUS_OK;
}

status io_array_text_decode(const char *path, const io_array_place *place, void **values,
                            int64_t *bytes)
{
    const int64_t count = place->code[1];
    const size_t size = (size_t)count * sizeof(double) + sizeof(double);
    FILE *stream = io_unpacked_stream(path);
    double *numbers = malloc(size);
    status s = !stream ? base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                                   strerror(errno))
               : !numbers ? base_fail_memory(size, "an array in text")
                          : STATUS_OK;
    if (s == STATUS_OK) {
        s = fseek(stream, (long)place->code[0], SEEK_SET) == 0
                ? io_array_text_read(stream, path, count, numbers)
                : base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                            strerror(errno));
    }
    for (int64_t n = 0; n < count && s == STATUS_OK && place->type == IO_FLOAT32; n++) {
        const float single = (float)numbers[n];
        memcpy((char *)numbers + n * (int64_t)sizeof single, &single, sizeof single);
    }
    if (stream) {
        fclose(stream);
    }
    *bytes = count * (int64_t)io_number_size(place->type);
    *values = numbers;
    if (s != STATUS_OK) {
        free(numbers);
        *values = NULL;
    }
    return s;
}
