#include "client.h"

#include "alive.h"
#include "base/path.h"
#include "folder.h"
#include "log.h"
#include "order.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILE_BYTES = 1 << 26 };

/* ---- Reading ----------------------------------------------------------------------- */

status steer_read_json(const char *folder, const char *name, json_t **out)
{
    char path[STEER_MAX_PATH], *text = NULL;
    size_t size = 0;
    if (!steer_path_join(folder, name, path)) {
        return base_fail(STATUS_INPUT, "the path of the run directory is too long");
    }
    status s = steer_file_read(path, MOST_FILE_BYTES, &text, &size);
    if (s != STATUS_OK) {
        return s;
    }
    json_error_t error;
    json_t *json = json_loadb(text, size, 0, &error);
    free(text);
    if (!json) {
        return base_fail(STATUS_INPUT, "'%s' is not JSON: %s (line %d)", path, error.text,
                         error.line);
    }
    *out = json;
    return STATUS_OK;
}

/* The JSON of the last complete line of the text, or NULL. Its values get those of the
 * lines before it that it lacks. */
static json_t *parse_last(char *text, size_t size)
{
    json_t *last = NULL;
    while (size > 0 && text[size - 1] != '\n') {
        size--; /* an incomplete line */
    }
    for (bool goes_on = true; size > 0 && goes_on;) {
        text[size - 1] = '\0';
        const char *before = strrchr(text, '\n');
        json_t *line = json_loads(before ? before + 1 : text, 0, NULL);
        if (last) {
            json_object_update_missing(json_object_get(last, "values"),
                                       json_object_get(line, "values"));
            json_decref(line);
        } else {
            last = line;
        }
        size = before ? (size_t)(before + 1 - text) : 0;
        goes_on = last != NULL;
    }
    return last;
}

json_t *steer_read_last(const char *folder, const char *name)
{
    enum { TAIL = 1 << 16 };
    char path[STEER_MAX_PATH];
    FILE *file = steer_path_join(folder, name, path) ? fopen(path, "rb") : NULL;
    char *text = malloc(TAIL + 1);
    json_t *json = NULL;
    if (file && text && fseek(file, 0, SEEK_END) == 0) {
        long all = ftell(file);
        if (fseek(file, all > TAIL ? all - TAIL : 0, SEEK_SET) == 0) {
            size_t size = fread(text, 1, TAIL, file);
            text[size] = '\0';
            json = parse_last(text, size);
        }
    }
    free(text);
    if (file) {
        fclose(file);
    }
    return json;
}

/* Reads run.json. A folder without it is not a run directory. */
static status read_run(const char *folder, json_t **out)
{
    char path[STEER_MAX_PATH];
    if (!steer_path_join(folder, "run.json", path) || access(path, R_OK) != 0) {
        return base_fail(STATUS_INPUT,
                         "'%.512s' is no run directory: it has no run.json that can be "
                         "read",
                         folder);
    }
    return steer_read_json(folder, "run.json", out);
}

/* ---- Making orders ----------------------------------------------------------------- */

static status read_table(const char *folder, steer_table *table)
{
    json_t *json = NULL;
    status s = steer_read_json(folder, "parameters.json", &json);
    if (s == STATUS_OK) {
        s = steer_table_read(json_object_get(json, "parameters"), table);
    }
    json_decref(json);
    return s;
}

/* {"set", NAME, VALUE}, with the same check as in the program. */
static status make_set(const char *folder, const char *const *words, json_t **out)
{
    steer_table table = {0};
    const steer_entry *entry = NULL;
    json_t *value = NULL;
    steer_value checked;
    status s = read_table(folder, &table);
    s = s == STATUS_OK ? steer_table_expect(&table, words[1], &entry) : s;
    s = s == STATUS_OK ? steer_entry_parse(entry, words[2], &value) : s;
    s = s == STATUS_OK ? steer_entry_check(entry, value, &checked) : s;
    if (s == STATUS_OK) {
        *out = json_pack("{s:s, s:s, s:O}", "order", "set", "name", words[1], "value",
                         value);
        s = *out ? s : base_fail_memory(sizeof checked, "an order");
    }
    json_decref(value);
    steer_table_clear(&table);
    return s;
}

/* {"change", TEXT, …}; the program checks the texts. */
static status make_change(int nwords, const char *const *words, json_t **out)
{
    steer_order checked;
    json_t *config = json_array();
    for (int n = 1; n < nwords && config; n++) {
        json_array_append_new(config, steer_string(words[n]));
    }
    json_t *order = json_pack("{s:s, s:o?}", "order", "change", "config", config);
    status s = order ? steer_order_check(order, NULL, STEER_RUNNING, &checked)
                     : base_fail_memory(0, "an order");
    if (s != STATUS_OK) {
        json_decref(order);
        return s;
    }
    *out = order;
    return STATUS_OK;
}

status steer_fragment_read(const char *path, char **text)
{
    size_t size = 0;
    return steer_file_read(path, STEER_MAX_CHANGE, text, &size);
}

static status make_step(const char *word, json_t **out)
{
    char *end;
    long steps = strtol(word, &end, 10);
    if (end == word || *end != '\0' || steps < 1 || steps > STEER_MAX_STEPS) {
        return base_fail(STATUS_USAGE, "step %.64s: give a whole number from 1 to %d",
                         word, (int)STEER_MAX_STEPS);
    }
    *out = json_pack("{s:s, s:i}", "order", "step", "count", (int)steps);
    return *out ? STATUS_OK : base_fail_memory(sizeof steps, "an order");
}

/* Checks the number of words after the verb. */
static status check_words(steer_verb verb, int nwords)
{
    if (verb == STEER_SET && nwords != 3) {
        return base_fail(STATUS_USAGE, "give 'set NAME VALUE', like 'set "
                                       "camera.position 1,2,3'");
    }
    if (verb == STEER_STEP && nwords > 2) {
        return base_fail(STATUS_USAGE, "give 'step' or 'step COUNT'");
    }
    if (verb == STEER_CHANGE && nwords < 2) {
        return base_fail(STATUS_USAGE, "give 'change KEY=VALUE', like 'change "
                                       "layers.1.shown=false', or a fragment of config");
    }
    if (verb != STEER_SET && verb != STEER_STEP && verb != STEER_CHANGE && nwords > 1) {
        return base_fail(STATUS_USAGE, "'%s' takes no arguments", steer_verb_name(verb));
    }
    return STATUS_OK;
}

static status make_order(const char *folder, int nwords, const char *const *words,
                         json_t **out)
{
    steer_verb verb = steer_verb_find(words[0]);
    status s =
        verb == STEER_NOTHING ? steer_verb_fail(words[0]) : check_words(verb, nwords);
    if (s != STATUS_OK) {
        return s;
    }
    if (verb == STEER_SET) {
        return make_set(folder, words, out);
    }
    if (verb == STEER_CHANGE) {
        return make_change(nwords, words, out);
    }
    if (verb == STEER_STEP && nwords == 2) {
        return make_step(words[1], out);
    }
    *out = json_pack("{s:s}", "order", words[0]);
    return *out ? STATUS_OK : base_fail_memory(sizeof verb, "an order");
}

status steer_order_parse(const char *folder, int nwords, const char *const *words,
                         json_t **out)
{
    json_t *run = NULL;
    if (nwords < 1) {
        return base_fail(STATUS_USAGE, "give an order, such as 'halt'");
    }
    status s = read_run(folder, &run);
    json_decref(run);
    return s == STATUS_OK ? make_order(folder, nwords, words, out) : s;
}

/* ---- Sending ----------------------------------------------------------------------- */

static status check_alive(const char *folder)
{
    json_t *run = NULL, *last = NULL;
    status s = read_run(folder, &run);
    if (s == STATUS_OK && steer_read_json(folder, "status.json", &last) != STATUS_OK) {
        base_fail_set_message("");
    }
    if (s == STATUS_OK && !steer_alive_check(run, last)) {
        s = base_fail(STATUS_INPUT,
                      "the run in '%.512s' has ended: no program takes the order",
                      folder);
    }
    json_decref(run);
    json_decref(last);
    return s;
}

/* Names an order's file. Programs carry out orders by ascending name: microseconds since
 * 1970, then a counter for the orders of one process. Its pid and host make the name
 * unique. */
static void name_order(size_t size, char *name)
{
    static unsigned counter;
    char host[256];
    unsigned hash = 5381;
    steer_host(sizeof host, host);
    for (const char *at = host; *at != '\0'; at++) {
        hash = 33 * hash + (unsigned char)*at;
    }
    snprintf(name, size, "%020lld-%06u-%ld-%08x.json", (long long)(1e6 * steer_now()),
             counter++ % 1000000, (long)getpid(), hash);
}

/* A copy of the order, with its sender and the time. */
static json_t *sign(const json_t *order)
{
    char host[256];
    const char *user = getenv("USER");
    steer_host(sizeof host, host);
    json_t *signed_order = json_copy((json_t *)order);
    json_t *from = json_pack(
        "{s:o, s:o, s:I, s:f}", "user", steer_string(user ? user : "unknown"), "host",
        steer_string(host), "pid", (json_int_t)getpid(), "sent", steer_now());
    if (!signed_order || json_object_set_new(signed_order, "from", from) != 0) {
        json_decref(signed_order);
        return NULL;
    }
    return signed_order;
}

/* Writes the order's file. has_said suppresses the warning, as a failure is an error
 * here. */
static status put_order(const char *folder, const char *name, const json_t *order)
{
    steer_folder here = {.path = (char *)folder, .has_said = true};
    char file[STEER_MAX_FILE + 16];
    snprintf(file, sizeof file, "orders/%s", name);
    json_t *signed_order = sign(order);
    errno = ENOMEM;
    bool done = signed_order && steer_folder_write(&here, file, signed_order);
    json_decref(signed_order);
    return done ? STATUS_OK
                : base_fail(STATUS_OUTPUT,
                            "the order cannot be written into '%.512s/orders': %s",
                            folder, strerror(errno));
}

/* Whether the answer has arrived. Opening the directory first makes a network file system
 * ask its server for the present content. */
static bool has_answer(const char *folder, const char *name)
{
    char path[STEER_MAX_PATH];
    DIR *listing = steer_path_join(folder, "answers", path) ? opendir(path) : NULL;
    if (listing) {
        closedir(listing);
    }
    return steer_path_join(folder, name, path) && access(path, R_OK) == 0;
}

static status await_answer(const char *folder, const char *name, double seconds,
                           json_t **answer)
{
    const struct timespec nap = {0, 20 * 1000 * 1000};
    char file[STEER_MAX_FILE + 16];
    snprintf(file, sizeof file, "answers/%s", name);
    for (double end = steer_now() + seconds;;) {
        if (has_answer(folder, file)) {
            return steer_read_json(folder, file, answer);
        }
        if (steer_now() >= end) {
            return STATUS_OK;
        }
        nanosleep(&nap, NULL);
    }
}

status steer_order_send(const char *folder, const json_t *order, double seconds,
                        json_t **answer)
{
    char name[STEER_MAX_FILE];
    *answer = NULL;
    status s = check_alive(folder);
    if (s != STATUS_OK) {
        return s;
    }
    name_order(sizeof name, name);
    s = put_order(folder, name, order);
    return s == STATUS_OK ? await_answer(folder, name, seconds, answer) : s;
}

/* ---- Logs -------------------------------------------------------------------------- */

static status check_ended(const char *folder)
{
    json_t *run = NULL, *last = NULL;
    if (steer_read_json(folder, "run.json", &run) == STATUS_OK) {
        steer_read_json(folder, "status.json", &last);
    }
    base_fail_set_message(""); /* a directory without these files is new */
    bool alive = steer_alive_check(run, last);
    json_decref(run);
    json_decref(last);
    return alive
               ? base_fail(STATUS_INPUT,
                           "the run in '%.512s' has not ended: end it, or repeat the log "
                           "in another directory",
                           folder)
               : STATUS_OK;
}

/* Writes a file of lines, by rename. */
static status put_lines(const char *folder, const json_t *lines)
{
    char path[STEER_MAX_PATH], temporary[STEER_MAX_PATH], suffix[BASE_PATH_SUFFIX],
        hidden[BASE_PATH_SUFFIX + 16];
    base_path_suffix(suffix);
    snprintf(hidden, sizeof hidden, ".replay.jsonl%s", suffix);
    bool done = steer_folder_make(folder) &&
                steer_path_join(folder, "replay.jsonl", path) &&
                steer_path_join(folder, hidden, temporary);
    if (done) {
        unlink(temporary);
    }
    FILE *file = done ? fopen(temporary, "wbx") : NULL;
    done = file;
    for (size_t n = 0; done && n < json_array_size(lines); n++) {
        done = json_dumpf(json_array_get(lines, n), file, JSON_COMPACT) == 0 &&
               fputc('\n', file) != EOF;
    }
    done = file && fclose(file) == 0 && done;
    return done && rename(temporary, path) == 0
               ? STATUS_OK
               : base_fail(STATUS_OUTPUT, "'%.512s/replay.jsonl' cannot be written: %s",
                           folder, strerror(errno));
}

status steer_log_put(const char *folder, const char *path, int *count)
{
    json_t *lines = NULL;
    status s = steer_log_read(path, &lines);
    s = s == STATUS_OK ? check_ended(folder) : s;
    s = s == STATUS_OK ? put_lines(folder, lines) : s;
    if (s == STATUS_OK) {
        *count = (int)json_array_size(lines);
    }
    json_decref(lines);
    return s;
}
