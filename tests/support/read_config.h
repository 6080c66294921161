/* A config from a file, on one rank. */
#ifndef TESTS_SUPPORT_READ_CONFIG_H
#define TESTS_SUPPORT_READ_CONFIG_H

#include "io/config/config.h"

#include <stdlib.h>

/* Reads and parses a config with overrides ([noverrides]). */
static inline status read_config(const char *path, int noverrides,
                                 const char *const *overrides, io_config **out)
{
    char *text = NULL;
    size_t size = 0;
    status s = io_config_read_text(path, &text, &size);
    s = s == STATUS_OK ? io_config_parse(path, text, size, noverrides, overrides, out)
                       : s;
    free(text);
    return s;
}

#endif
