/* Loads a document into structures: one walk over both, which checks and stores. */
#include "base/path.h"
#include "base/words.h"
#include "faults.h"
#include "io/config/colors/color.h"
#include "io/config/document/scalar.h"
#include "keys.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 64 };

/* A value to load: its key, its node, and its path for messages. */
typedef struct value {
    const io_key *key;
    int node;
    char path[IO_DOCUMENT_PATH_SIZE];
} value;

typedef struct loader {
    io_document *document;
    const char *folder;
    const io_key *root; /* the table of the whole config */
} loader;

static status fail_memory(void)
{
    return base_fail_memory(0, "the config");
}

/* ---- Ranges ---- */

static bool is_within(const io_key_range *range, double number)
{
    switch (range->bounds) {
    case IO_KEY_ABOVE:
        return number > range->low;
    case IO_KEY_FROM:
        return number >= range->low;
    case IO_KEY_UP_TO:
        return number > range->low && number <= range->high;
    case IO_KEY_BETWEEN:
        return number > range->low && number < range->high;
    case IO_KEY_WITHIN:
    case IO_KEY_COLOR:
        return number >= range->low && number <= range->high;
    default:
        return true;
    }
}

/* Messages about a value out of range give the path of its key. */
static status check_range(const value *v, const io_section *section, double number)
{
    const io_key *key = v->key;
    if (is_within(&key->range, number)) {
        return STATUS_OK;
    }
    char range[96], shown[32];
    const bool is_whole = key->type == IO_KEY_INT || key->type == IO_KEY_INT64;
    snprintf(shown, sizeof shown, is_whole ? "%.0f" : "%g", number);
    if (key->range.bounds == IO_KEY_COLOR) {
        return io_section_fail(section, key->name, "must be r, g, b in 0..1, has %s",
                               shown);
    }
    io_key_print_range(&key->range, sizeof range, range);
    const bool has_unit = key->range.bounds == IO_KEY_BETWEEN && key->unit != NULL;
    const bool is_list = key->many != IO_KEY_ONE && (key->flags & IO_KEY_WRAPPED) == 0;
    return io_section_fail(section, key->name, "must be %s%s%s%s %s", range,
                           has_unit ? " " : "", has_unit ? key->unit : "",
                           is_list ? " each, has" : ", is", shown);
}

/* ---- Values ---- */

static status load_integer(const loader *l, const value *v, const io_section *section,
                           void *member)
{
    const char *text = io_document_text(l->document, v->node);
    const bool is_short = v->key->type == IO_KEY_INT;
    int64_t integer = 0;
    if (text == NULL || !io_scalar_integer(text, &integer)) {
        return io_faults_number(l->document, v->node, v->path, v->key);
    }
    if (is_short && integer != (int)integer) {
        return io_document_fail(l->document, v->node, "%s: %s is too large", v->path,
                                text);
    }
    if (is_short) {
        *(int *)member = (int)integer;
    } else {
        *(int64_t *)member = integer;
    }
    return check_range(v, section, (double)integer);
}

static status load_number(const loader *l, const value *v, const io_section *section,
                          void *member)
{
    const char *text = io_document_text(l->document, v->node);
    double number = 0.0;
    if (text == NULL || !io_scalar_number(text, &number)) {
        return io_faults_number(l->document, v->node, v->path, v->key);
    }
    status s = check_range(v, section, number);
    if (s == STATUS_OK && v->key->type == IO_KEY_FLOAT) {
        *(float *)member = (float)number;
    } else if (s == STATUS_OK) {
        *(double *)member = number;
    }
    return s;
}

static status load_bool(const loader *l, const value *v, bool *member)
{
    const char *text = io_document_text(l->document, v->node);
    *member = text != NULL && strcmp(text, "true") == 0;
    if (!*member && (text == NULL || strcmp(text, "false") != 0)) {
        return io_document_fail_type(l->document, v->node, v->path, "true or false");
    }
    return STATUS_OK;
}

static status load_choice(const loader *l, const value *v, void *member)
{
    const char *text = io_document_text(l->document, v->node);
    const char *words[MOST_KEYS];
    int count = 0;
    for (const io_key_word *w = v->key->words; w->word != NULL; w++) {
        words[count++] = w->word;
        if (text != NULL && strcmp(text, w->word) == 0) {
            if (v->key->size == sizeof(bool)) {
                *(bool *)member = w->value != 0;
            } else {
                *(int *)member = w->value;
            }
            return STATUS_OK;
        }
    }
    return io_faults_word(l->document, v->node, v->path, count, words);
}

/* Makes a path relative to the folder. In a pattern, percent signs of the folder are
 * escaped. */
static char *lead_from(const char *folder, io_key_type type, const char *text)
{
    if (folder == NULL || type == IO_KEY_TEXT) {
        return strdup(text);
    }
    if (type == IO_KEY_PATH) {
        return base_path_join(folder, text);
    }
    char *left = base_path_climb(folder, &text);
    char *pattern = left != NULL ? io_path_pattern(left) : NULL;
    char *joined = pattern != NULL ? base_path_join(pattern, text) : NULL;
    free(pattern);
    free(left);
    return joined;
}

static status load_text(const loader *l, const value *v, char **member)
{
    const char *text = io_document_text(l->document, v->node);
    if (text == NULL || io_document_is_null(l->document, v->node)) {
        return io_document_fail_type(l->document, v->node, v->path, "a text");
    }
    if (text[0] == '\0') {
        return io_document_fail(l->document, v->node, "%s must not be empty", v->path);
    }
    *member = lead_from(l->folder, v->key->type, text);
    return *member != NULL ? STATUS_OK : fail_memory();
}

static status load_section(const loader *l, const io_section *section, const io_key *keys,
                           void *structure);

static status load_value(const loader *l, const value *v, const io_section *section,
                         void *member)
{
    switch (v->key->type) {
    case IO_KEY_BOOL:
        return load_bool(l, v, member);
    case IO_KEY_INT:
    case IO_KEY_INT64:
        return load_integer(l, v, section, member);
    case IO_KEY_FLOAT:
    case IO_KEY_NUMBER:
        return load_number(l, v, section, member);
    case IO_KEY_CHOICE:
        return load_choice(l, v, member);
    case IO_KEY_SECTION: {
        io_section below = {l->document, v->node, ""};
        memcpy(below.path, v->path, sizeof below.path);
        if (!io_document_is_mapping(l->document, v->node)) {
            return io_faults_section(section, &below, v->key);
        }
        return load_section(l, &below, v->key->below, member);
    }
    default:
        return load_text(l, v, member);
    }
}

/* ---- Lists ---- */

static status check_length(const loader *l, const value *v, int count, int least,
                           int most)
{
    if (count >= least && (most == 0 || count <= most)) {
        return STATUS_OK;
    }
    if (least == most) {
        return io_document_fail(l->document, v->node,
                                "%s: expected a list of %d, found %d", v->path, least,
                                count);
    }
    return io_document_fail(l->document, v->node, "%s: expected %s %d entries, found %d",
                            v->path, count < least ? "at least" : "at most",
                            count < least ? least : most, count);
}

static value entry_of(const loader *l, const value *list, int index)
{
    value entry = {list->key, list->node, ""};
    if (io_document_is_sequence(l->document, list->node)) {
        snprintf(entry.path, sizeof entry.path, "%.100s.%d", list->path, index);
        entry.node = io_document_item(l->document, list->node, index);
    } else {
        memcpy(entry.path, list->path, sizeof entry.path);
    }
    return entry;
}

/* Loads an entry that is itself a list. */
static status load_row(const loader *l, const value *row, const io_section *section,
                       char *member)
{
    const int width = row->key->width;
    if (!io_document_is_sequence(l->document, row->node)) {
        return io_document_fail_type(l->document, row->node, row->path, "a list");
    }
    status s =
        check_length(l, row, io_document_count(l->document, row->node), width, width);
    for (int i = 0; i < width && s == STATUS_OK; i++) {
        value entry = entry_of(l, row, i);
        s = load_value(l, &entry, section,
                       member + (size_t)i * (row->key->size / (size_t)width));
    }
    return s;
}

/* Allocates `count` entries, after freeing those of an earlier key with the same
 * member. */
static status grow(const io_key *key, int count, char **entries)
{
    free(*entries);
    *entries = calloc((size_t)count + 1, key->size);
    return *entries != NULL ? STATUS_OK : fail_memory();
}

static status load_entries(const loader *l, const value *list, const io_section *section,
                           int count, char *entries)
{
    status s = STATUS_OK;
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        value entry = entry_of(l, list, i);
        char *member = entries + (size_t)i * list->key->size;
        s = list->key->width > 0 ? load_row(l, &entry, section, member)
                                 : load_value(l, &entry, section, member);
    }
    return s;
}

/* Loads a colour that is a text. */
static status load_color(const loader *l, const value *v, const char *text, char *member)
{
    double rgb[3];
    char problem[320];
    if (io_document_is_null(l->document, v->node)) {
        return io_document_fail(l->document, v->node,
                                "%s: expected " IO_COLOR_NOTATIONS
                                ", found nothing: # begins a comment",
                                v->path);
    }
    if (io_color_read(text, rgb, sizeof problem, problem) != STATUS_OK) {
        const char *word = v->key->absent;
        return io_document_fail(l->document, v->node, "%s: %s%s%s", v->path, problem,
                                word ? "; no colour: " : "", word ? word : "");
    }
    for (int c = 0; c < 3; c++) {
        if (v->key->type == IO_KEY_FLOAT) {
            ((float *)(void *)member)[c] = (float)rgb[c];
        } else {
            ((double *)(void *)member)[c] = rgb[c];
        }
    }
    return STATUS_OK;
}

static status load_list(const loader *l, const value *list, const io_section *section,
                        char *structure)
{
    const io_key *key = list->key;
    char *entries = structure + key->offset;
    const char *text = io_document_text(l->document, list->node);
    if (key->range.bounds == IO_KEY_COLOR && text != NULL) {
        return load_color(l, list, text, entries);
    }
    const bool is_list = io_document_is_sequence(l->document, list->node);
    const bool is_one =
        (key->flags & IO_KEY_WRAPPED) != 0 &&
        (text != NULL || (key->type == IO_KEY_SECTION &&
                          io_document_is_mapping(l->document, list->node)));
    if (!is_list && !is_one) {
        const char *other = key->range.bounds == IO_KEY_COLOR ? IO_COLOR_NOTATIONS
                            : key->type == IO_KEY_SECTION
                                ? "a list, whose entries begin with '- ' (in --set: "
                                  "layers.0)"
                                : "a list";
        return io_document_fail_type(l->document, list->node, list->path,
                                     key->instead != NULL ? key->instead : other);
    }
    const int count = is_one ? 1 : io_document_count(l->document, list->node);
    status s = check_length(l, list, count, key->least, key->most);
    if (s == STATUS_OK && key->many == IO_KEY_GROWN) {
        s = grow(key, count, (char **)entries);
        entries = s == STATUS_OK ? *(char **)entries : NULL;
    }
    if (s == STATUS_OK && key->many != IO_KEY_FIXED) {
        memcpy(structure + key->count_offset, &count, sizeof count);
    }
    return s == STATUS_OK ? load_entries(l, list, section, count, entries) : s;
}

/* ---- Keys ---- */

/* Fails for a text that is neither a word for no value nor one of the other values. */
static status check_instead(const loader *l, const value *v)
{
    const char *text = io_document_text(l->document, v->node);
    double number = 0.0;
    const bool is_number = v->key->many == IO_KEY_ONE && v->key->type < IO_KEY_TEXT;
    if (v->key->range.bounds == IO_KEY_COLOR) {
        return STATUS_OK; /* a text may name a colour: load_color */
    }
    if (v->key->absent == NULL || v->key->instead == NULL || text == NULL ||
        v->key->type == IO_KEY_SECTION ||
        (is_number && io_scalar_number(text, &number))) {
        return STATUS_OK;
    }
    char expected[128] = "";
    size_t used = 0;
    for (const char *word = v->key->absent; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        const char *between = word[length] != '\0' ? ", " : " or ";
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%.*s%s",
                                 (int)length, word, between);
        word += length + (word[length] != '\0');
    }
    snprintf(expected + used, sizeof expected - used, "%s", v->key->instead);
    return io_document_fail_type(l->document, v->node, v->path, expected);
}

/* Fails for a key that must have a value but is null or an empty list. */
static status check_not_empty(const loader *l, const value *v)
{
    const bool is_empty = v->key->least > 0 && v->key->many == IO_KEY_GROWN &&
                          io_document_is_sequence(l->document, v->node) &&
                          io_document_count(l->document, v->node) == 0;
    if (v->key->example == NULL ||
        !(is_empty || io_document_is_null(l->document, v->node))) {
        return STATUS_OK;
    }
    return io_document_fail(l->document, v->node, "%s is empty: write, for example, '%s'",
                            v->path, v->key->example);
}

static status load_key(const loader *l, const io_section *section, const io_key *key,
                       int node, char *structure)
{
    const io_section below = io_section_below(section, key->name);
    value v = {key, node, ""};
    memcpy(v.path, below.path, sizeof v.path);
    status s = check_not_empty(l, &v);
    s = s == STATUS_OK ? check_instead(l, &v) : s;
    if (s != STATUS_OK || (key->flags & IO_KEY_APART) != 0) {
        return s;
    }
    if (key->type == IO_KEY_OTHER) {
        return key->read(section, key, structure);
    }
    if (key->many != IO_KEY_ONE) {
        return load_list(l, &v, section, structure);
    }
    char *member = structure + key->offset;
    if ((key->flags & IO_KEY_POINTER) != 0) {
        s = grow(key, 1, (char **)member);
        member = s == STATUS_OK ? *(char **)member : NULL;
    }
    return s == STATUS_OK ? load_value(l, &v, section, member) : s;
}

/* ---- Sections ---- */

static status load_pair(const loader *l, const io_section *section, const io_key *keys,
                        int index, void *structure)
{
    yaml_node_pair_t pair = io_document_pair(l->document, section->node, index);
    const char *name = io_document_text(l->document, pair.key);
    const io_key *key = io_keys_get(keys, name, strlen(name));
    if (key == NULL) {
        return io_faults_unknown(section, keys, l->root, pair.key);
    }
    status s = io_faults_twice(section, index);
    return s == STATUS_OK ? load_key(l, section, key, pair.value, structure) : s;
}

/* Whether a text is one of the words, which are separated by spaces. */
static bool is_one_of(const char *text, const char *words)
{
    const size_t length = strlen(text);
    const char *at = length > 0 ? strstr(words, text) : NULL;
    while (at != NULL && !((at == words || at[-1] == ' ') &&
                           (at[length] == ' ' || at[length] == '\0'))) {
        at = strstr(at + 1, text);
    }
    return at != NULL;
}

/* Removes keys whose value is a word for no value. */
static void remove_absent(const io_section *section, const io_key *keys)
{
    for (const io_key *key = keys; key->name != NULL; key++) {
        const char *text =
            key->absent != NULL ? io_section_text(section, key->name) : NULL;
        if (text != NULL && is_one_of(text, key->absent)) {
            io_document_remove(section->document, section->node, key->name);
        }
    }
}

static status load_section(const loader *l, const io_section *section, const io_key *keys,
                           void *structure)
{
    remove_absent(section, keys);
    status s = STATUS_OK;
    for (int i = 0; i < io_document_count(l->document, section->node) && s == STATUS_OK;
         i++) {
        s = load_pair(l, section, keys, i, structure);
    }
    return s == STATUS_OK ? io_faults_missing(section, keys) : s;
}

status io_keys_load(const io_section *section, const io_key *keys, const char *folder,
                    void *structure)
{
    const loader l = {section->document, folder, keys};
    if (!io_document_is_mapping(section->document, section->node)) {
        return io_section_fail_type(section, NULL, "a mapping of keys");
    }
    return load_section(&l, section, keys, structure);
}
