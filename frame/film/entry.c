#include "entry.h"

#include <stdio.h>
#include <stdlib.h>

/* The data of an entry over those of all pictures; a new reference, NULL without memory.
 */
static json_t *merge_data(const io_config *config, const json_t *given)
{
    /* How a file is laid out. */
    static const char *const of_file[] = {"grid",   "fields", "time", "order",
                                          "plot3d", "base",   "other"};
    char *text = io_config_given_json(config, "data");
    json_t *data = text ? json_loads(text, 0, NULL) : NULL;
    json_t *its = json_is_object(given) ? json_deep_copy(given)
                                        : json_pack("{s:O}", "file", (json_t *)given);
    for (size_t n = 0; json_object_get(its, "file") && n < 7; n++) {
        json_object_del(data, of_file[n]);
    }
    json_object_update(data, its);
    json_decref(its);
    free(text);
    return data;
}

static status take_data(const io_config *config, const json_t *given, int number,
                        io_config **out)
{
    char key[32], place[1024], *text = NULL;
    size_t size = 0;
    json_t *data = merge_data(config, given);
    char *json = data ? json_dumps(data, JSON_COMPACT) : NULL;
    snprintf(key, sizeof key, "pictures.%d.data", number);
    io_config_place(config, key, sizeof place, place);
    FILE *stream = json ? open_memstream(&text, &size) : NULL;
    if (stream) {
        fprintf(stream, "%s\vdata=%s", place, json);
        fclose(stream);
    }
    const char *const overrides[] = {text};
    const status s = text ? io_config_override(config, 1, overrides, out)
                          : base_fail_memory(0, "the data of a picture");
    json_decref(data);
    free(json);
    free(text);
    return s;
}

static status take_keys(const io_config *config, json_t *keys, int number,
                        io_config **out)
{
    char above[32];
    char *change = json_object_size(keys) > 0 ? json_dumps(keys, 0) : NULL;
    const char *const changes[] = {change};
    snprintf(above, sizeof above, "pictures.%d", number);
    const status s = io_config_change(config, above, change ? 1 : 0, changes, out);
    free(change);
    return s;
}

status film_entry_apply(const io_config *config, const json_t *entry, int number,
                        io_config **out)
{
    json_t *keys = json_deep_copy(entry);
    const json_t *data = json_object_get(entry, "data");
    io_config *with = NULL;
    json_object_del(keys, "name");
    json_object_del(keys, "place");
    json_object_del(keys, "data");
    status s = data ? take_data(config, data, number, &with) : STATUS_OK;
    s = s == STATUS_OK ? take_keys(with ? with : config, keys, number, out) : s;
    io_config_destroy(&with);
    json_decref(keys);
    return s;
}
