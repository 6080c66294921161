#include "config_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *config_text_replace(const char *from, const char *to)
{
    const char *found = strstr(good_text, from);
    if (found == NULL) {
        fail_msg("the config of the test has no '%s'", from);
        return NULL;
    }
    size_t size = sizeof good_text + strlen(to);
    char *text = malloc(size);
    assert_non_null(text);
    int before = (int)(found - good_text);
    snprintf(text, size, "%.*s%s%s", before, good_text, to, found + strlen(from));
    return text;
}

status config_text_parse(const char *text, int noverrides, const char *const *overrides,
                         io_config **out)
{
    base_fail_set_message("");
    return io_config_parse("runs/wake.yaml", text, strlen(text), noverrides, overrides,
                           out);
}

io_config *config_text_accept(const char *text, int noverrides,
                              const char *const *overrides)
{
    io_config *config = NULL;
    status result = config_text_parse(text, noverrides, overrides, &config);
    if (result != STATUS_OK) {
        fail_msg("expected a good config, found status %d: %s\n%s", (int)result,
                 base_fail_message(), text);
    }
    return config;
}
