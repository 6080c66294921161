/* Help on tables of keys: `karman help config`. */
#include "base/words.h"
#include "keys.h"

#include <string.h>

enum { MOST_KEYS = 64, NAME_WIDTH = 15 };

/* Whether the words for a default say that the key must be given. */
static bool is_demand(const char *text)
{
    static const char *const words[] = {"required", "this or", "one of"};
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strncmp(text, words[n], strlen(words[n])) == 0) {
            return true;
        }
    }
    return false;
}

static void print_line(const io_key *key, FILE *stream)
{
    char type[256], fallback[256], help[512], plain[256];
    io_key_print_type(key, "", sizeof type, type);
    io_key_print_default(key, "", sizeof fallback, fallback);
    io_key_plain(type, sizeof plain, plain);
    io_key_plain(key->help, sizeof help, help);
    fprintf(stream, "  %-*s %s (%s", NAME_WIDTH, key->name, help, plain);
    io_key_plain(fallback, sizeof plain, plain);
    fprintf(stream, "%s%s)\n", is_demand(plain) ? "; " : "; default ", plain);
}

/* Prints all keys of a section, then its subsections. */
static void print_section(const io_key *keys, const char *path, FILE *stream)
{
    fprintf(stream, "%s\n", path[0] != '\0' ? path : "the config");
    for (const io_key *key = keys; key->name != NULL; key++) {
        print_line(key, stream);
    }
    for (const io_key *key = keys; key->name != NULL; key++) {
        if (key->below != NULL) {
            char below[IO_DOCUMENT_PATH_SIZE];
            snprintf(below, sizeof below, "%s%s%s", path, path[0] != '\0' ? "." : "",
                     key->name);
            fputc('\n', stream);
            print_section(key->below, below, stream);
        }
    }
}

static void print_key(const io_key *key, const char *path, bool is_steerable,
                      FILE *stream)
{
    char text[256], plain[512];
    io_key_plain(key->help, sizeof plain, plain);
    fprintf(stream, "%s: %s\n", path, plain);
    io_key_print_type(key, "", sizeof text, text);
    io_key_plain(text, sizeof plain, plain);
    fprintf(stream, "  type     %s\n", plain);
    io_key_print_default(key, "", sizeof text, text);
    io_key_plain(text, sizeof plain, plain);
    fprintf(stream, "  default  %s\n", plain[0] != '\0' ? plain : "none");
    if (key->unit != NULL) {
        fprintf(stream, "  unit     %s\n", key->unit);
    }
    fprintf(stream, "  steered  %s\n",
            is_steerable ? "yes: running programs take orders for it" : "no");
}

/* Length of the longest beginning of a path, in whole parts, that a table has; 0 if even
 * the first part is not a key. */
static size_t known_length(const io_key *keys, const char *path)
{
    char above[IO_DOCUMENT_PATH_SIZE];
    size_t known = 0;
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        snprintf(above, sizeof above, "%.*s", (int)(dot - path), path);
        if (io_keys_find(keys, above, NULL) == NULL) {
            break;
        }
        known = (size_t)(dot - path);
    }
    return known;
}

/* Fails with the part of the path that no table has. */
static status fail_unknown(const io_key *keys, const char *path)
{
    char above[IO_DOCUMENT_PATH_SIZE], known[512];
    const char *words[MOST_KEYS];
    const size_t length = known_length(keys, path);
    snprintf(above, sizeof above, "%.*s", (int)length, path);
    if (length > 0) {
        keys = io_keys_find(keys, above, NULL)->below;
    }
    if (keys == NULL) {
        return base_fail(STATUS_USAGE, "there are no keys below %s", above);
    }
    const char *name = path + length + (length > 0 ? 1 : 0);
    int count = 0;
    for (; count < MOST_KEYS && keys[count].name != NULL; count++) {
        words[count] = keys[count].name;
    }
    const char *where = length > 0 ? above : "the config";
    const char *nearest = base_words_nearest(name, count, words);
    if (nearest != NULL) {
        return base_fail(STATUS_USAGE, "unknown key '%.60s' in %s: did you mean '%s'?",
                         name, where, nearest);
    }
    base_words_list(count, words, sizeof known, known);
    return base_fail(STATUS_USAGE, "unknown key '%.60s' in %s, which has: %s", name,
                     where, known);
}

status io_keys_help(const io_key *keys, const char *path, FILE *stream)
{
    bool is_steerable = false;
    if (path == NULL) {
        print_section(keys, "", stream);
        return STATUS_OK;
    }
    const io_key *key = io_keys_find(keys, path, &is_steerable);
    if (key == NULL) {
        return fail_unknown(keys, path);
    }
    print_key(key, path, is_steerable, stream);
    if (key->below != NULL) {
        fputc('\n', stream);
        print_section(key->below, path, stream);
    }
    return STATUS_OK;
}
