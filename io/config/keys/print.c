/* Prints a document as YAML for the user, in the order of its table of keys. */
#include "keys.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COMMENT_COLUMN = 44 };

typedef struct printer {
    io_document *document;
    bool has_comments;
    FILE *stream;
} printer;

/* ---- Values on one line ------------------------------------------------------------ */

/* Whether YAML reads the unquoted text as text: a name or a path, but no number or
 * word. */
static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const words[] = {"true", "false", "null", "auto", "yes", "no",
                                        "on",   "off",   "all",  "last", "y",   "n"};
    const size_t first = strspn(text, "./");
    if (text[first] == '\0' || strchr(letters, text[first]) == NULL) {
        return false;
    }
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strcasecmp(text, words[n]) == 0) {
            return false;
        }
    }
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                             "0123456789./-%+")] == '\0';
}

/* Prints a text so that YAML reads the same again: as it was given if it was plain, else
 * quoted if necessary. Lists become flow sequences, in which these characters end a plain
 * text. */
static void print_scalar(const printer *p, int node)
{
    const char *text = io_document_text(p->document, node);
    const yaml_node_t *found = io_document_node(p->document, node);
    const bool was_plain = found->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if ((was_plain && strpbrk(text, ",[]{}") == NULL) || is_plain(text)) {
        fprintf(p->stream, "%s", text);
        return;
    }
    json_t *json = json_string(text);
    char *quoted = json != NULL ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    fprintf(p->stream, "%s", quoted != NULL ? quoted : "\"\"");
    free(quoted);
    json_decref(json);
}

static void print_flow(const printer *p, int node)
{
    const bool is_mapping = io_document_is_mapping(p->document, node);
    if (!is_mapping && !io_document_is_sequence(p->document, node)) {
        print_scalar(p, node);
        return;
    }
    const int count = io_document_count(p->document, node);
    fputc(is_mapping ? '{' : '[', p->stream);
    for (int n = 0; n < count; n++) {
        int value = 0;
        fprintf(p->stream, "%s", n > 0 ? ", " : "");
        if (is_mapping) {
            const yaml_node_pair_t pair = io_document_pair(p->document, node, n);
            print_scalar(p, pair.key);
            fprintf(p->stream, ": ");
            value = pair.value;
        } else {
            value = io_document_item(p->document, node, n);
        }
        print_flow(p, value);
    }
    fputc(is_mapping ? '}' : ']', p->stream);
}

/* ---- Lines ------------------------------------------------------------------------- */

/* Whether a value takes several lines: a mapping, or a list of mappings. */
static bool is_block(const printer *p, int node)
{
    if (io_document_count(p->document, node) == 0) {
        return false;
    }
    return io_document_is_mapping(p->document, node) ||
           io_document_is_mapping(p->document, io_document_item(p->document, node, 0));
}

/* Prints "key: value" after `lead`, then the meaning of the key as a comment. */
static void print_line(const printer *p, const char *lead, yaml_node_pair_t pair,
                       const io_key *key)
{
    char *text = NULL;
    size_t size = 0;
    FILE *line = open_memstream(&text, &size);
    if (line == NULL) {
        return;
    }
    const printer inner = {p->document, p->has_comments, line};
    fputs(lead, line);
    print_scalar(&inner, pair.key);
    fputc(':', line);
    if (!is_block(p, pair.value)) {
        fputc(' ', line);
        print_flow(&inner, pair.value);
    }
    fclose(line);
    char help[512] = "";
    if (key != NULL && key->help != NULL) {
        io_key_plain(key->help, sizeof help, help);
    }
    if (p->has_comments && help[0] != '\0') {
        fprintf(p->stream, "%-*s # %s\n", COMMENT_COLUMN, text, help);
    } else {
        fprintf(p->stream, "%s\n", text);
    }
    free(text);
}

static void print_mapping(const printer *p, int node, const io_key *keys, int depth,
                          const char *first_lead);

static void print_list(const printer *p, int node, const io_key *keys, int depth)
{
    char lead[80];
    snprintf(lead, sizeof lead, "%*s- ", 2 * depth, "");
    for (int n = 0; n < io_document_count(p->document, node); n++) {
        print_mapping(p, io_document_item(p->document, node, n), keys, depth + 1, lead);
    }
}

static void print_pair(const printer *p, int pair_index, int node, const io_key *keys,
                       int depth, const char *lead)
{
    const yaml_node_pair_t pair = io_document_pair(p->document, node, pair_index);
    const char *name = io_document_text(p->document, pair.key);
    const io_key *key = keys != NULL ? io_keys_get(keys, name, strlen(name)) : NULL;
    const io_key *below = key != NULL ? key->below : NULL;
    print_line(p, lead, pair, key);
    if (!is_block(p, pair.value)) {
        return;
    }
    if (io_document_is_mapping(p->document, pair.value)) {
        print_mapping(p, pair.value, below, depth + 1, NULL);
    } else {
        print_list(p, pair.value, below, depth + 1);
    }
}

/* The index of a pair's key in the table; the end of the table for an unknown key. */
static int order_of(const printer *p, int node, int pair_index, const io_key *keys)
{
    const char *name = io_document_text(
        p->document, io_document_pair(p->document, node, pair_index).key);
    int place = 0;
    while (keys != NULL && keys[place].name != NULL &&
           strcmp(keys[place].name, name) != 0) {
        place++;
    }
    return keys != NULL ? place : pair_index;
}

/* Prints pairs in the order of the table. `first_lead`: the beginning of the first
 * line. */
static void print_mapping(const printer *p, int node, const io_key *keys, int depth,
                          const char *first_lead)
{
    enum { MOST_PLACES = 64 };
    char lead[80];
    snprintf(lead, sizeof lead, "%*s", 2 * depth, "");
    bool is_first = true;
    for (int place = 0; place <= MOST_PLACES; place++) {
        for (int n = 0; n < io_document_count(p->document, node); n++) {
            const int order = order_of(p, node, n, keys);
            if (order == place || (place == MOST_PLACES && order > place)) {
                print_pair(p, n, node, keys, depth,
                           is_first && first_lead != NULL ? first_lead : lead);
                is_first = false;
            }
        }
    }
}

void io_keys_print(io_document *document, const io_key *keys, bool has_comments,
                   FILE *stream)
{
    const printer p = {document, has_comments, stream};
    print_mapping(&p, IO_DOCUMENT_ROOT, keys, 0, NULL);
}
