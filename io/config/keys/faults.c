/* Messages about keys and values that do not fit the table. */
#include "faults.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 64, MOST_DEPTH = 3, MESSAGE_SIZE = 512 };

/* ---- Values ------------------------------------------------------------------------ */

status io_faults_word(io_document *document, int node, const char *path, int count,
                      const char *const *words)
{
    const char *text = io_document_text(document, node);
    char expected[256], hint[128] = "";
    base_words_list(count, words, sizeof expected, expected);
    if (text == NULL || io_document_is_null(document, node)) {
        return io_document_fail_type(document, node, path, expected);
    }
    base_words_hint(text, count, words, sizeof hint, hint);
    return io_document_fail(document, node, "%s: expected %s, found '%.60s'%s", path,
                            expected, text, hint);
}

status io_faults_number(io_document *document, int node, const char *path,
                        const io_key *key)
{
    const char *text = io_document_text(document, node);
    const bool is_whole = key->type == IO_KEY_INT || key->type == IO_KEY_INT64;
    const char *expected = is_whole ? "a whole number" : "a finite number";
    char *rest = NULL;
    if (text == NULL || io_document_is_null(document, node)) {
        return io_document_fail_type(document, node, path, expected);
    }
    const double number = strtod(text, &rest);
    const size_t digits = strspn(*rest == ',' ? rest + 1 : rest, "0123456789");
    if (rest != text && *rest == ',' && digits > 0 && rest[1 + digits] == '\0' &&
        !is_whole) {
        return io_document_fail(document, node,
                                "%s: expected %s, with a point: %.*s.%s, found '%.60s'",
                                path, expected, (int)(rest - text), text, rest + 1, text);
    }
    if (rest != text && *rest != '\0' && !strchr(".,:;-+0123456789", *rest)) {
        return io_document_fail(document, node,
                                "%s: expected %s%s%s, without a unit behind it: %.10g, "
                                "found '%.60s'",
                                path, expected, key->unit ? " in " : "",
                                key->unit ? key->unit : "", number, text);
    }
    return io_document_fail_type(document, node, path, expected);
}

/* A key of `section` that belongs into the section of `key`, which is empty beside it: it
 * is not indented enough. NULL: none. */
static const char *find_outside(const io_section *section, const io_key *key)
{
    for (int i = 0; i < io_document_count(section->document, section->node); i++) {
        const char *name = io_document_text(
            section->document, io_document_pair(section->document, section->node, i).key);
        if (name != NULL && io_keys_get(key->below, name, strlen(name)) != NULL) {
            return name;
        }
    }
    return NULL;
}

status io_faults_section(const io_section *above, const io_section *section,
                         const io_key *key)
{
    char expected[160];
    const char *outside = io_document_is_null(section->document, section->node) &&
                                  io_document_is_mapping(above->document, above->node)
                              ? find_outside(above, key)
                              : NULL;
    if (outside != NULL) {
        return io_section_fail(section, NULL,
                               "is empty: '%.60s' is one of its keys, and must be "
                               "indented more than '%s'",
                               outside, key->name);
    }
    snprintf(expected, sizeof expected, "a mapping of keys, such as %s%s%s",
             key->example != NULL ? "'" : "{",
             key->example != NULL ? key->example : key->below[0].name,
             key->example != NULL ? "'" : ": …}");
    return io_section_fail_type(section, NULL,
                                key->instead != NULL ? key->instead : expected);
}

/* ---- Keys -------------------------------------------------------------------------- */

/* Finds a key of that name in a table or `deep` levels below, and prints its path behind
 * `path` of `used` bytes. */
static bool find_elsewhere(const io_key *keys, const char *name, int deep, size_t used,
                           char path[IO_DOCUMENT_PATH_SIZE])
{
    bool is_found = false;
    for (const io_key *key = keys; key->name != NULL && !is_found; key++) {
        const bool is_list = key->many != IO_KEY_ONE;
        const int length =
            snprintf(path + used, IO_DOCUMENT_PATH_SIZE - used, "%s%s%s",
                     used > 0 ? "." : "", key->name, is_list && deep > 0 ? ".0" : "");
        const size_t end = used + (length > 0 ? (size_t)length : 0);
        is_found = deep == 0 ? strcmp(key->name, name) == 0
                             : key->below != NULL && end < IO_DOCUMENT_PATH_SIZE &&
                                   find_elsewhere(key->below, name, deep - 1, end, path);
    }
    return is_found;
}

bool io_keys_seek(const io_key *keys, const char *name, char path[IO_DOCUMENT_PATH_SIZE])
{
    bool is_found = false;
    for (int deep = 1; deep <= MOST_DEPTH && !is_found; deep++) {
        is_found = find_elsewhere(keys, name, deep, 0, path);
    }
    return is_found;
}

status io_faults_unknown(const io_section *section, const io_key *keys,
                         const io_key *root, int node)
{
    const char *words[MOST_KEYS];
    int count = 0;
    for (; count < MOST_KEYS && keys[count].name != NULL; count++) {
        words[count] = keys[count].name;
    }
    const char *key = io_document_text(section->document, node);
    const char *where = section->path[0] != '\0' ? section->path : "the config";
    const char *nearest = base_words_nearest(key, count, words);
    if (nearest != NULL) {
        return io_document_fail(section->document, node,
                                "unknown key '%.60s' in %s: did you mean '%s'?", key,
                                where, nearest);
    }
    char known[512], elsewhere[IO_DOCUMENT_PATH_SIZE] = "";
    if (key[strspn(key, "-+.0123456789")] == '\0') {
        return io_document_fail(section->document, node,
                                "'%.60s' stands where %s has keys: numbers have no "
                                "commas, and lists stand in [ ]",
                                key, where);
    }
    const bool is_elsewhere = io_keys_seek(root, key, elsewhere);
    base_words_list(count, words, sizeof known, known);
    return io_document_fail(section->document, node,
                            "unknown key '%.60s' in %s, which has: %s%s%s%s", key, where,
                            known, is_elsewhere ? "; did you mean " : "",
                            is_elsewhere ? elsewhere : "", is_elsewhere ? "?" : "");
}

/* Fails if pair `index` has the key of an earlier pair. */
status io_faults_twice(const io_section *section, int index)
{
    io_document *document = section->document;
    int key = io_document_pair(document, section->node, index).key;
    const char *text = io_document_text(document, key);
    for (int i = 0; i < index; i++) {
        int earlier = io_document_pair(document, section->node, i).key;
        if (strcmp(io_document_text(document, earlier), text) == 0) {
            return io_document_fail(
                document, key, "the key '%.60s' is there twice in %s, first on line %zu",
                text, section->path[0] != '\0' ? section->path : "the config",
                io_document_node(document, earlier)->start_mark.line + 1);
        }
    }
    return STATUS_OK;
}

/* Required keys that are missing, and examples for the message. */
typedef struct missing {
    int count;
    const char *names[MOST_KEYS], *examples[MOST_KEYS];
    int nexamples;
} missing;

static missing find_missing(const io_section *section, const io_key *keys)
{
    missing m = {0};
    for (const io_key *key = keys; key->name != NULL && m.count < MOST_KEYS; key++) {
        if ((key->flags & IO_KEY_REQUIRED) == 0 || io_section_has(section, key->name)) {
            continue;
        }
        m.names[m.count++] = key->name;
        if (key->example != NULL &&
            (m.nexamples == 0 ||
             strcmp(m.examples[m.nexamples - 1], key->example) != 0)) {
            m.examples[m.nexamples++] = key->example;
        }
    }
    return m;
}

/* Writes "a, b and c", each word between `before` and `after`. */
static void print_all(int count, const char *const *words, const char *before,
                      const char *after, char text[MESSAGE_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; n < count && used < MESSAGE_SIZE; n++) {
        const char *comma = n == 0 ? "" : n + 1 < count ? ", " : " and ";
        snprintf(text + used, MESSAGE_SIZE - used, "%s%s%s%s", comma, before, words[n],
                 after);
        used = strlen(text);
    }
}

status io_faults_missing(const io_section *section, const io_key *keys)
{
    const missing m = find_missing(section, keys);
    if (m.count == 0) {
        return STATUS_OK;
    }
    char names[MESSAGE_SIZE], examples[MESSAGE_SIZE], path[IO_DOCUMENT_PATH_SIZE + 1];
    snprintf(path, sizeof path, "%s%s", section->path,
             section->path[0] != '\0' ? "." : "");
    print_all(m.count, m.names, path, "", names);
    print_all(m.nexamples, m.examples, "'", "'", examples);
    if (m.count == 1 && m.nexamples == 0) {
        char kind[256], help[MESSAGE_SIZE];
        const io_key *key = io_keys_get(keys, m.names[0], strlen(m.names[0]));
        io_key_print_type(key, "", sizeof kind, kind);
        io_key_plain(key->help, sizeof help, help);
        return io_document_fail(section->document, section->node,
                                "%s is missing: give %s, %s", names, kind, help);
    }
    return io_document_fail(section->document, section->node, "%s %s missing%s%s", names,
                            m.count == 1 ? "is" : "are",
                            m.nexamples > 0 ? ": write, for example, " : "", examples);
}
