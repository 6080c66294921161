#include "file.h"

#include "base/array.h"
#include "io/file.h"
#include "io/json/json.h"
#include "rule_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1 };

static const char *const VERSION_KEY = "karman_tuning";

/* ---- Lists ------------------------------------------------------------------------- */

void frame_tuned_list_clear(frame_tuned_list *list)
{
    free(list->items);
    *list = (frame_tuned_list){0};
}

status frame_tuned_list_add(frame_tuned_list *list, const frame_tuned *item)
{
    return base_array_add(list->items, list->count, *item, "rules");
}

/* ---- Reading ----------------------------------------------------------------------- */

static status check_document(const char *path, const json_t *document)
{
    const json_t *version = json_object_get(document, VERSION_KEY);
    if (!json_is_integer(version) ||
        !json_is_array(json_object_get(document, "machines"))) {
        return base_fail(STATUS_INPUT,
                         "%s is no tuning file: 'karman tune --out FILE' writes one",
                         path);
    }
    if (json_integer_value(version) != VERSION) {
        return base_fail(
            STATUS_INPUT,
            "%s is a tuning file of format %lld, and this karman reads format "
            "%d: tune again",
            path, (long long)json_integer_value(version), VERSION);
    }
    return STATUS_OK;
}

/* Loads a file; *out is a new reference. */
static status load(const char *path, json_t **out)
{
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);
    if (!document) {
        return base_fail(STATUS_INPUT, "%s cannot be read as a tuning file: %s", path,
                         error.text);
    }
    const status s = check_document(path, document);
    if (s != STATUS_OK) {
        json_decref(document);
        return s;
    }
    *out = document;
    return STATUS_OK;
}

static status read_rules(const char *path, const json_t *rules, frame_tuned_list *list)
{
    const size_t count = json_array_size(rules);
    status s = STATUS_OK;
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        frame_tuned item;
        const char *wrong = frame_rule_parse(json_array_get(rules, n), &item);
        s = wrong ? base_fail(STATUS_INPUT,
                              "%s: '%s' of rule %zu has an impossible value: tune again, "
                              "or remove the rule",
                              path, wrong, n + 1)
                  : frame_tuned_list_add(list, &item);
    }
    return s;
}

static status read_machines(const char *path, const json_t *document,
                            const frame_signature *signature, frame_tuned_list *list,
                            bool *others)
{
    const json_t *machines = json_object_get(document, "machines");
    const size_t count = json_array_size(machines);
    status s = STATUS_OK;
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        const json_t *machine = json_array_get(machines, n);
        if (frame_signature_matches(signature, json_object_get(machine, "signature"))) {
            s = read_rules(path, json_object_get(machine, "rules"), list);
        } else {
            *others = true;
        }
    }
    return s;
}

status frame_tuning_read(const char *path, const frame_signature *signature,
                         frame_tuned_list *list, bool *others)
{
    json_t *document = NULL;
    const int before = list->count;
    *others = false;
    status s = load(path, &document);
    s = s == STATUS_OK ? read_machines(path, document, signature, list, others) : s;
    if (s != STATUS_OK) {
        list->count = before;
    }
    json_decref(document);
    return s;
}

status frame_tuning_each(const char *path, frame_tuning_visit *visit, void *context)
{
    json_t *document = NULL;
    status s = load(path, &document);
    const json_t *machines = json_object_get(document, "machines");
    for (size_t n = 0; s == STATUS_OK && n < json_array_size(machines); n++) {
        const json_t *machine = json_array_get(machines, n);
        frame_tuned_list rules = {0};
        s = read_rules(path, json_object_get(machine, "rules"), &rules);
        if (s == STATUS_OK) {
            visit(machine, &rules, context);
        }
        frame_tuned_list_clear(&rules);
    }
    json_decref(document);
    return s;
}

/* ---- Writing ----------------------------------------------------------------------- */

/* Waits for the lock of a file; the descriptor holds it until it is closed. */
static status lock(const char *path, int *descriptor)
{
    enum { TRIES = 1000, MILLISECONDS = 10 };
    const size_t size = strlen(path) + sizeof ".lock";
    char *name = malloc(size);
    if (!name) {
        return base_fail_memory(size, "a path");
    }
    memcpy(name, path, size - sizeof ".lock");
    memcpy(name + size - sizeof ".lock", ".lock", sizeof ".lock");
    *descriptor = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    bool is_locked = false;
    for (int n = 0; *descriptor >= 0 && n < TRIES && !is_locked; n++) {
        is_locked = flock(*descriptor, LOCK_EX | LOCK_NB) == 0;
        if (!is_locked && errno != EWOULDBLOCK && errno != EINTR) {
            break;
        }
        if (!is_locked) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000L * MILLISECONDS}, NULL);
        }
    }
    const status s =
        is_locked ? STATUS_OK
                  : base_fail(STATUS_OUTPUT, "%s cannot be locked: %s", name,
                              errno == EWOULDBLOCK ? "another program keeps it locked"
                                                   : strerror(errno));
    if (!is_locked && *descriptor >= 0) {
        close(*descriptor);
    }
    free(name);
    return s;
}

/* The file's document, or a new one if there is no file. */
static status load_or_make(const char *path, json_t **out)
{
    if (access(path, F_OK) == 0) {
        return load(path, out);
    }
    *out = json_pack("{s:i, s:[]}", VERSION_KEY, VERSION, "machines");
    return *out ? STATUS_OK : base_fail_memory(256, "a tuning file");
}

/* The machine of a signature, borrowed; NULL: there is none. */
static json_t *find_machine(const json_t *document, const frame_signature *signature)
{
    const json_t *machines = json_object_get(document, "machines");
    for (size_t n = 0; n < json_array_size(machines); n++) {
        json_t *machine = json_array_get(machines, n);
        if (frame_signature_matches(signature, json_object_get(machine, "signature")) &&
            json_is_array(json_object_get(machine, "rules"))) {
            return machine;
        }
    }
    return NULL;
}

/* The same; without one a new one. NULL without memory. */
static json_t *find_or_add_machine(json_t *document, const frame_signature *signature)
{
    json_t *machine = find_machine(document, signature);
    if (!machine) {
        machine = json_pack("{s:o, s:[]}", "signature",
                            frame_signature_describe(signature), "rules");
        if (json_array_append_new(json_object_get(document, "machines"), machine) != 0) {
            machine = NULL;
        }
    }
    return machine;
}

static bool is_same_case(const frame_tuned *a, const frame_tuned *b)
{
    return a->crowd.ranks == b->crowd.ranks && a->crowd.nodes == b->crowd.nodes &&
           a->crowd.node_ranks == b->crowd.node_ranks &&
           a->rule.target == b->rule.target && a->rule.pixels == b->rule.pixels &&
           fabs(a->rule.activity - b->rule.activity) <= 1e-3 * b->rule.activity;
}

/* Adds a rule, in the place of one for the same case. */
static bool put_rule(json_t *rules, const frame_tuned *item)
{
    size_t n = 0;
    frame_tuned old;
    while (
        n < json_array_size(rules) &&
        (frame_rule_parse(json_array_get(rules, n), &old) || !is_same_case(&old, item))) {
        n++;
    }
    json_t *rule = frame_rule_describe(item);
    return n < json_array_size(rules) ? json_array_set_new(rules, n, rule) == 0
                                      : json_array_append_new(rules, rule) == 0;
}

static status write_document(const char *path, const json_t *document)
{
    size_t size;
    char *text = io_json_print(document, &size);
    if (!text) {
        return base_fail_memory(4096, "a tuning file");
    }
    const status s = io_file_write(path, text, size);
    free(text);
    return s;
}

/* Changes the machine of a file. Returns false without memory. */
typedef bool changer(json_t *machine, const void *context);

static status change_unlocked(const char *path, const frame_signature *signature,
                              changer *change, const void *context)
{
    json_t *document = NULL;
    status s = load_or_make(path, &document);
    if (s == STATUS_OK) {
        json_t *machine = find_or_add_machine(document, signature);
        s = machine && change(machine, context) ? write_document(path, document)
                                                : base_fail_memory(4096, "a tuning file");
    }
    json_decref(document);
    return s;
}

static status change_file(const char *path, const frame_signature *signature,
                          changer *change, const void *context)
{
    int descriptor = -1;
    status s = io_file_make_folders(path);
    s = s == STATUS_OK ? lock(path, &descriptor) : s;
    if (s == STATUS_OK) {
        s = change_unlocked(path, signature, change, context);
        close(descriptor);
    }
    return s;
}

/* changer */
static bool put_rules(json_t *machine, const void *context)
{
    const frame_tuned_list *list = context;
    json_t *rules = json_object_get(machine, "rules");
    bool complete = true;
    for (int n = 0; n < list->count && complete; n++) {
        complete = put_rule(rules, &list->items[n]);
    }
    return complete;
}

status frame_tuning_add(const char *path, const frame_signature *signature,
                        const frame_tuned_list *list)
{
    return change_file(path, signature, put_rules, list);
}

/* changer; the context is the new object */
static bool put_machine(json_t *machine, const void *context)
{
    json_t *object = *(json_t *const *)context;
    return json_object_set(machine, "machine", object) == 0;
}

status frame_tuning_put_machine(const char *path, const frame_signature *signature,
                                json_t *machine)
{
    return change_file(path, signature, put_machine, &machine);
}

/* Whether two collectives are tuned for the same case. */
static bool is_same_collective(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"collective", "ranks", "nodes", "ranks_a_node",
                                       "bytes"};
    bool same = true;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        same =
            same && json_equal(json_object_get(a, keys[n]), json_object_get(b, keys[n]));
    }
    return same;
}

/* changer; the context is the new object */
static bool put_collective(json_t *machine, const void *context)
{
    json_t *object = *(json_t *const *)context;
    json_t *list = json_object_get(machine, "collectives");
    size_t n = 0;
    if (!json_is_array(list)) {
        list = json_array();
        json_object_set_new(machine, "collectives", list);
    }
    while (n < json_array_size(list) &&
           !is_same_collective(json_array_get(list, n), object)) {
        n++;
    }
    return n < json_array_size(list) ? json_array_set(list, n, object) == 0
                                     : json_array_append(list, object) == 0;
}

status frame_tuning_put_collective(const char *path, const frame_signature *signature,
                                   json_t *collective)
{
    return change_file(path, signature, put_collective, &collective);
}

status frame_tuning_get_machine(const char *path, const frame_signature *signature,
                                json_t **out)
{
    json_t *document = NULL;
    const status s = load(path, &document);
    *out =
        s == STATUS_OK
            ? json_incref(json_object_get(find_machine(document, signature), "machine"))
            : NULL;
    json_decref(document);
    return s;
}

status frame_tuning_try(const char *path)
{
    json_t *document = NULL;
    status s = load_or_make(path, &document);
    json_decref(document);
    return s == STATUS_OK ? io_file_try(path, path) : s;
}
