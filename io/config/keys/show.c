/* Types, ranges and defaults of keys in words, for help and docs/user/config.md. */
#include "keys.h"

#include <ctype.h>
#include <string.h>

void io_key_plain(const char *text, size_t size, char *plain)
{
    size_t used = 0;
    for (; *text != '\0' && used + 1 < size; text++) {
        if (*text != '`') {
            plain[used++] = *text;
        }
    }
    plain[used] = '\0';
}

void io_key_print_range(const io_key_range *range, size_t size, char *text)
{
    text[0] = '\0';
    switch (range->bounds) {
    case IO_KEY_ABOVE:
        snprintf(text, size, "above %.10g", range->low);
        break;
    case IO_KEY_FROM:
        snprintf(text, size, "at least %.10g", range->low);
        break;
    case IO_KEY_WITHIN:
        snprintf(text, size, "%.10g to %.10g", range->low, range->high);
        break;
    case IO_KEY_UP_TO:
        snprintf(text, size, "above %.10g and at most %.10g", range->low, range->high);
        break;
    case IO_KEY_BETWEEN:
        snprintf(text, size, "between %.10g and %.10g", range->low, range->high);
        break;
    default:
        break;
    }
}

/* Writes "`a`, `b`". */
static void print_words(const io_key_word *words, const char *mark, size_t size,
                        char *text)
{
    size_t used = 0;
    for (const io_key_word *w = words; w->word != NULL && used < size; w++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s",
                                 w == words ? "" : ", ", mark, w->word, mark);
    }
}

/* The type of one value, without its range. */
static void print_plain_type(const io_key *key, const char *mark, size_t size, char *text)
{
    static const io_key_word truths[] = {{"true", 1}, {"false", 0}, {NULL, 0}};
    static const char *const names[] = {[IO_KEY_TEXT] = "text",
                                        [IO_KEY_PATH] = "path",
                                        [IO_KEY_PATTERN] = "pattern",
                                        [IO_KEY_SECTION] = "mapping",
                                        [IO_KEY_OTHER] = "see below"};
    switch (key->type) {
    case IO_KEY_BOOL:
        print_words(truths, mark, size, text);
        break;
    case IO_KEY_CHOICE:
        print_words(key->words, mark, size, text);
        break;
    case IO_KEY_INT:
    case IO_KEY_INT64:
        snprintf(text, size, "whole number%s%s", key->unit != NULL ? " of " : "",
                 key->unit != NULL ? key->unit : "");
        break;
    case IO_KEY_FLOAT:
    case IO_KEY_NUMBER:
        snprintf(text, size, "%s", key->unit != NULL ? key->unit : "number");
        break;
    default:
        snprintf(text, size, "%s%s", key->many != IO_KEY_ONE ? "list of " : "",
                 names[key->type]);
    }
}

void io_key_print_type(const io_key *key, const char *mark, size_t size, char *text)
{
    char type[160], range[96];
    print_plain_type(key, mark, sizeof type, type);
    io_key_print_range(&key->range, sizeof range, range);
    const char *plain = key->kind != NULL ? key->kind : type;
    const bool has_word = key->absent != NULL && key->kind == NULL;
    snprintf(text, size, "%s%s%s%s%s%s%s", plain, range[0] != '\0' ? ", " : "", range,
             has_word ? ", or " : "", has_word ? mark : "", has_word ? key->absent : "",
             has_word ? mark : "");
}

void io_key_print_default(const io_key *key, const char *mark, size_t size, char *text)
{
    const bool is_required = (key->flags & IO_KEY_REQUIRED) != 0;
    const char *fallback = is_required ? NULL : key->fallback;
    if (key->otherwise != NULL) {
        snprintf(text, size, "%s", key->otherwise);
    } else if (fallback == NULL) {
        snprintf(text, size, "%s", is_required ? "required" : "none");
    } else if (strcmp(fallback, "{}") == 0) {
        snprintf(text, size, "the defaults of its keys");
    } else {
        const bool is_word = isalpha((unsigned char)fallback[0]) != 0;
        snprintf(text, size, "%s%s%s", is_word ? mark : "", fallback,
                 is_word ? mark : "");
    }
}
