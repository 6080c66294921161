#include "config.h"
#include "time_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Length of the conversion that begins with the '%' at text: %d, %0Nd or %0NNd; 0 for any
 * other. Sets the width. */
static int conversion_length(const char *text, int *width)
{
    int length = 1;
    *width = 0;
    if (text[length] == '0') {
        length++;
        while (length < 4 && isdigit((unsigned char)text[length])) {
            *width = 10 * *width + (text[length] - '0');
            length++;
        }
        if (*width == 0) {
            return 0;
        }
    }
    return text[length] == 'd' ? length + 1 : 0;
}

int io_config_count_conversions(const char *pattern)
{
    int count = 0;
    for (const char *text = pattern; *text != '\0'; text++) {
        int width = 0;
        if (*text != '%') {
            continue;
        }
        if (text[1] == '%') {
            text++;
            continue;
        }
        int length = conversion_length(text, &width);
        if (length == 0) {
            return -1;
        }
        text += length - 1;
        count++;
    }
    return count;
}

status io_config_check_numbered(const io_config *config)
{
    const char *const keys[] = {"output.frames", "output.float"};
    const char *const patterns[] = {config->output.frames, config->output.floats};
    for (int n = 0; n < 2; n++) {
        if (patterns[n] != NULL && io_config_count_conversions(patterns[n]) == 0) {
            const char *given = io_config_given(config, keys[n]);
            return io_config_fail(config, keys[n],
                                  "must hold %%d or %%0Nd for the step, such as %%04d, "
                                  "where several steps are drawn, is '%s'",
                                  given != NULL ? given : patterns[n]);
        }
    }
    return STATUS_OK;
}

static void write_expanded(FILE *stream, const char *pattern, int64_t step)
{
    for (const char *text = pattern; *text != '\0'; text++) {
        int width = 0;
        if (*text == '%' && text[1] != '%') {
            int length = conversion_length(text, &width);
            fprintf(stream, "%0*" PRId64, width, step);
            text += length - 1;
            continue;
        }
        text += *text == '%' ? 1 : 0;
        fputc(*text, stream);
    }
}

char *io_config_expand(const char *pattern, int64_t step)
{
    char *path = NULL;
    size_t size = 0;
    if (io_config_count_conversions(pattern) < 0) {
        return NULL;
    }
    FILE *stream = open_memstream(&path, &size);
    if (stream == NULL) {
        return NULL;
    }
    write_expanded(stream, pattern, step);
    if (fclose(stream) != 0) {
        free(path);
        return NULL;
    }
    return path;
}
