#include "names.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints an override of a pattern of names, which gets the picture's: "wake_%04d.png"
 * becomes "wake_front_%04d.png", and "wake.png" "wake_front.png". malloc'ed. */
static char *print_name(const char *key, const char *given, const char *name)
{
    const char *percent = strchr(given, '%'), *dot = strrchr(given, '.');
    const char *at = percent ? percent : dot ? dot : given;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        fprintf(stream, "%.*s%s%s%s%s", (int)(at - given), given, percent ? "" : "_",
                name, percent ? "_" : "", at);
        fclose(stream);
    }
    json_t *json = text ? json_pack("s", text) : NULL;
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    free(text);
    text = NULL;
    stream = quoted ? open_memstream(&text, &size) : NULL;
    if (stream) {
        fprintf(stream, "%s=%s", key, quoted);
        fclose(stream);
    }
    json_decref(json);
    free(quoted);
    return text;
}

status film_names_set(const io_config *config, const char *name, io_config **out)
{
    static const char *const keys[] = {"output.frames", "output.float", "output.figure",
                                       "output.extracts"};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    const char *cinema = io_config_given(config, "output.cinema");
    char *overrides[KEYS] = {NULL}, inside[1024];
    int count = 0;
    bool works = true;
    snprintf(inside, sizeof inside, "%s/%%06d.png", cinema ? cinema : "");
    for (int n = 0; n < KEYS && works; n++) {
        const char *given = io_config_given(config, keys[n]);
        given = given || n > 0 || !cinema ? given : inside;
        if (given) {
            overrides[count] = print_name(keys[n], given, name);
            works = overrides[count++] != NULL;
        }
    }
    const status s =
        works ? io_config_override(config, count, (const char *const *)overrides, out)
              : base_fail_memory(0, "the names of pictures");
    for (int n = 0; n < count; n++) {
        free(overrides[n]);
    }
    return s;
}
