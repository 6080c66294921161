#include "config_keys.h"

#include "base/usage/manual.h"
#include "base/usage/roff.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The path of a key; with_index: of one entry of a list. */
static void join(const char *path, const io_key *key, bool with_index, size_t size,
                 char *joined)
{
    const bool is_list = key->many == IO_KEY_COUNTED || key->many == IO_KEY_GROWN;
    snprintf(joined, size, "%s%s%s%s", path, path[0] != '\0' ? "." : "", key->name,
             with_index && is_list ? ".0" : "");
}

/* ---- The page ---- */

static void print_key(const io_key *key, FILE *page)
{
    char text[512], plain[512];
    fputs(".TP\n\\fB", page);
    usage_roff_text(key->name, 0, page);
    fputs("\\fR\n", page);
    io_key_plain(key->help, sizeof plain, plain);
    usage_roff_text(plain, 1, page);
    io_key_print_type(key, "", sizeof text, text);
    io_key_plain(text, sizeof plain, plain);
    fputs("\n.br\nType: ", page);
    usage_roff_text(plain, 0, page);
    io_key_print_default(key, "", sizeof text, text);
    io_key_plain(text, sizeof plain, plain);
    fputs(". Default: ", page);
    usage_roff_text(plain, 0, page);
    fputs(".\n", page);
}

static void print_section(const io_key *keys, const char *path, FILE *page)
{
    fputs(".SS ", page);
    usage_roff_text(path[0] != '\0' ? path : "The config", 0, page);
    fputc('\n', page);
    for (const io_key *key = keys; key->name != NULL; key++) {
        print_key(key, page);
    }
    for (const io_key *key = keys; key->name != NULL; key++) {
        if (key->below != NULL) {
            char below[IO_DOCUMENT_PATH_SIZE];
            join(path, key, false, sizeof below, below);
            print_section(key->below, below, page);
        }
    }
}

status about_config_page(const char *folder)
{
    static const char name[] = "karman-config";
    FILE *page;
    status s = usage_manual_open(folder, name, 5, &page);
    if (s != STATUS_OK) {
        return s;
    }
    usage_roff_title(name, 5, page);
    fputs(".SH NAME\nkarman\\-config \\- pictures that karman draws, as a YAML file\n"
          ".SH DESCRIPTION\n",
          page);
    usage_roff_paragraphs(
        "A config names a data file, a camera, the layers to draw and the pictures to "
        "write. 'karman render' draws it, 'karman example' has some to start from, and "
        "'karman help config KEY' tells of one key.\n"
        "Relative paths lead from the folder of the config. Below, a heading is the path "
        "of a section, such as camera or layers.volume.",
        page);
    fputs(".SH KEYS\n", page);
    print_section(io_config_keys, "", page);
    fputs(".SH SEE ALSO\n", page);
    usage_roff_pages("karman(1) karman-render(1) karman-help(1) karman-example(1)", page);
    return usage_manual_close(name, &page);
}

/* ---- The words ---- */

static void print_words(const io_key *keys, const char *path, FILE *stream)
{
    for (const io_key *key = keys; key->name != NULL; key++) {
        char below[IO_DOCUMENT_PATH_SIZE];
        if (key->below == NULL) {
            join(path, key, false, sizeof below, below);
            fprintf(stream, "%s= ", below);
        } else {
            join(path, key, true, sizeof below, below);
            print_words(key->below, below, stream);
        }
    }
}

char *about_config_words(void)
{
    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);
    if (stream == NULL) {
        return NULL;
    }
    print_words(io_config_keys, "", stream);
    return fclose(stream) == 0 ? words : NULL;
}
