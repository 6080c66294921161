#include "keys.h"

#include <stdio.h>
#include <string.h>

/* Adds the default of a key that is not given. */
static status add_default(const io_section *section, const io_key *key, bool is_quiet)
{
    char pair[256];
    const bool is_left_out = (key->flags & IO_KEY_QUIET) != 0 && !is_quiet;
    if (is_left_out || io_section_has(section, key->name)) {
        return STATUS_OK;
    }
    const char *text = key->choose != NULL ? key->choose(section) : key->fallback;
    if (text == NULL) {
        return STATUS_OK;
    }
    snprintf(pair, sizeof pair, "{%s: %s}\n", key->name, text);
    return io_document_complete(section->document, section->node, pair);
}

/* Whether a text is the shorthand of a section. Other texts are left to io_keys_load. */
static bool is_shorthand(const io_key *key, const char *text)
{
    if (key->shorthand == NULL || text == NULL) {
        return false;
    }
    if (key->shorthand[0] == '\0') {
        return strcmp(text, "true") == 0;
    }
    const io_key *below = io_keys_get(key->below, key->shorthand, strlen(key->shorthand));
    const io_key_word *word = below->words;
    if (!word) {
        return below->type == IO_KEY_PATH; /* any text */
    }
    while (word->word != NULL && strcmp(word->word, text) != 0) {
        word++;
    }
    return word->word != NULL;
}

/* Replaces a shorthand by its section. */
static status expand(const io_section *section, const io_key *key)
{
    io_document *document = section->document;
    const int node = io_section_value(section, key->name);
    if (!is_shorthand(key, io_section_text(section, key->name))) {
        return STATUS_OK;
    }
    const bool is_whole = key->shorthand[0] == '\0';
    const int mapping = io_document_add_mapping(document, node);
    const bool is_added =
        (is_whole || io_document_set(document, mapping, key->shorthand, node)) &&
        io_document_set(document, section->node, key->name, mapping);
    return is_added ? STATUS_OK : base_fail_memory(0, "the config");
}

static status complete_entries(const io_section *section, const io_key *key,
                               bool is_quiet)
{
    int list = io_section_value(section, key->name);
    int count = io_document_is_sequence(section->document, list)
                    ? io_document_count(section->document, list)
                    : 0;
    status s = STATUS_OK;
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        io_section entry = io_section_item(section, key->name, i);
        s = io_keys_complete(&entry, key->below, is_quiet);
    }
    return s;
}

status io_keys_complete(const io_section *section, const io_key *keys, bool is_quiet)
{
    status s = STATUS_OK;
    if (!io_document_is_mapping(section->document, section->node)) {
        return s;
    }
    for (const io_key *key = keys; key->name != NULL && s == STATUS_OK; key++) {
        s = add_default(section, key, is_quiet);
        if (s == STATUS_OK && is_quiet) {
            s = expand(section, key);
        }
        if (s != STATUS_OK || key->type != IO_KEY_SECTION) {
            continue;
        }
        if (key->many != IO_KEY_ONE) {
            s = complete_entries(section, key, is_quiet);
        } else {
            io_section below = io_section_below(section, key->name);
            s = io_keys_complete(&below, key->below, is_quiet);
        }
    }
    return s;
}
