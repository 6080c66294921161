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

int config_text_differs(const char *what, status result, status expected,
                        const char *fragment)
{
    const char *message = base_fail_message();
    size_t length = strlen(message);
    bool is_sentence =
        length > 0 && strchr(message, '\n') == NULL && message[length - 1] != '.';
    if (result == expected && is_sentence && strstr(message, fragment) != NULL) {
        return 0;
    }
    print_error("for      %s\nexpected %d: %s\nfound    %d: %s\n\n", what, (int)expected,
                fragment, (int)result, message);
    return 1;
}

int config_text_refuse(const char *what, const char *text, int noverrides,
                       const char *const *overrides, const char *fragment)
{
    io_config *config = NULL;
    status result = config_text_parse(text, noverrides, overrides, &config);
    int wrong = config_text_differs(what, result, STATUS_USAGE, fragment);
    if (config != NULL) {
        print_error("for      %s\nexpected no config, found one\n", what);
        wrong++;
    }
    io_config_destroy(&config);
    return wrong;
}

void config_text_refuse_changes(size_t count, const config_text_change *changes)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char *text = config_text_replace(changes[i].from, changes[i].to);
        wrong += config_text_refuse(changes[i].to, text, 0, NULL, changes[i].message);
        free(text);
    }
    assert_int_equal(wrong, 0);
}
