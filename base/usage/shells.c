#include "shells.h"

#include <ctype.h>
#include <string.h>

/* ---- Values ---- */

/* Names of arguments that are files or folders. */
static const struct {
    const char *name;
    unsigned kinds;
} kinds[] = {
    {"CONFIG", USAGE_CONFIGS},  {"FILE", USAGE_CONFIGS | USAGE_DATA},
    {"LOG", USAGE_FILES},       {"FOLDER", USAGE_FOLDERS},
    {"RUN_DIR", USAGE_FOLDERS}, {"KEY=VALUE", USAGE_KEYS},
};

static void add_words(const char *text, usage_value *value)
{
    const size_t used = strlen(value->words);
    snprintf(value->words + used, sizeof value->words - used, "%s%s", used > 0 ? " " : "",
             text);
}

/* Adds the possible values of an argument's name. */
static void add_name(const char *name, const usage_words *words, usage_value *value)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(name, kinds[k].name) == 0) {
            value->kinds |= kinds[k].kinds;
        }
    }
    for (; words->name; words++) {
        if (strcmp(name, words->name) == 0) {
            add_words(words->words, value);
        }
    }
}

void usage_value_of_option(const struct argp_option *option, const usage_words *words,
                           usage_value *value)
{
    value->kinds = 0;
    value->words[0] = '\0';
    add_name(option->arg ? option->arg : "", words, value);
}

/* Whether a word is in the list. */
static bool is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* In args_doc names are in capitals, and literal words in small letters. */
void usage_value_of_arguments(const struct argp *argp, const usage_words *words,
                              usage_value *value)
{
    static const char between[] = " \n|[].,";
    const char *text = argp->args_doc ? argp->args_doc : "";
    value->kinds = 0;
    value->words[0] = '\0';
    for (text += strspn(text, between); *text != '\0'; text += strspn(text, between)) {
        char name[64];
        const int length = (int)strcspn(text, between);
        snprintf(name, sizeof name, "%.*s", length, text);
        text += length;
        if (isupper((unsigned char)name[0])) {
            add_name(name, words, value);
        } else if (islower((unsigned char)name[0]) && !is_listed(value->words, name)) {
            add_words(name, value);
        }
    }
}

/* ---- Texts ---- */

void usage_short(const char *text, size_t size, char *beginning)
{
    static const char *const ends[] = {": ", " (", "; ", ". "};
    size_t length = strlen(text);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        const char *end = strstr(text, ends[e]);
        if (end && (size_t)(end - text) < length) {
            length = (size_t)(end - text);
        }
    }
    snprintf(beginning, size, "%.*s", (int)length, text);
}

void usage_escape(const char *text, const char *letters, const char *escape, FILE *stream)
{
    for (; *text != '\0'; text++) {
        if (strchr(letters, *text)) {
            fputs(escape, stream);
        }
        fputc(*text, stream);
    }
}
