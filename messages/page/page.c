#include "page.h"

#include "embedded.h"
#include "io/file.h"
#include "io/json/base64.h"
#include "io/json/json.h"

#include <stdlib.h>
#include <string.h>

bool player_has_core(void)
{
#ifdef PLAYER_HAS_CORE
    return true;
#else
    return false;
#endif
}

/* The values of the marks. */
typedef struct parts {
    const char *data; /* JSON */
    const char *core; /* base64, or "" */
} parts;

static void write_script(FILE *file)
{
    static const unsigned char *const scripts[] = {
        player_common_js, player_scene_js,    player_core_js,  player_replay_js,
        player_memory_js, player_diagram_js,  player_race_js,  player_panels_js,
        player_tasks_js,  player_schedule_js, player_frame_js, player_window_js,
        player_page_js};
    for (size_t n = 0; n < sizeof scripts / sizeof scripts[0]; n++) {
        fputs((const char *)scripts[n], file);
    }
}

/* Writes the value of a mark, "@DATA@" and so on. */
static void write_mark(FILE *file, const char *mark, const parts *values)
{
    switch (mark[2]) {
    case 'T':
        fputs((const char *)player_common_css, file);
        fputs((const char *)player_page_css, file);
        break;
    case 'C':
        write_script(file);
        break;
    case 'A':
        io_json_write_html(file, values->data);
        break;
    default:
        fputs(values->core, file);
    }
}

/* Writes the page with its marks replaced: an io_file_contents. */
static bool write_page(FILE *file, const void *context)
{
    const char *rest = (const char *)player_page_html;
    for (const char *mark; (mark = strchr(rest, '@')) != NULL;) {
        fwrite(rest, 1, (size_t)(mark - rest), file);
        write_mark(file, mark, context);
        rest = mark + strcspn(mark + 1, "@") + 2;
    }
    fputs(rest, file);
    return ferror(file) == 0;
}

/* The core as text; NULL: there is no memory. */
static char *encode_core(void)
{
#ifdef PLAYER_HAS_CORE
    char *text = malloc(IO_BASE64_LENGTH(player_core_wasm_size));
    if (text) {
        io_base64_encode(player_core_wasm, player_core_wasm_size, text);
    }
    return text;
#else
    return calloc(1, 1);
#endif
}

status player_write(const char *path, const json_t *data)
{
    const bool computes = !json_object_get(data, "frame");
    char *text = json_dumps(data, JSON_COMPACT);
    char *core = computes ? encode_core() : calloc(1, 1);
    const parts values = {text, core};
    const status s = text && core ? io_file_make(path, write_page, &values)
                                  : base_fail_memory(4096, "the page");
    free(core);
    free(text);
    return s;
}

status player_print_frame_page(char **out)
{
    const parts values = {"", ""};
    size_t size = 0;
    char *text = NULL;
    FILE *file = open_memstream(&text, &size);
    const bool is_whole = file && write_page(file, &values);
    if (file && fclose(file) == 0 && is_whole) {
        *out = text;
        return STATUS_OK;
    }
    free(text);
    return base_fail_memory(4096, "the page of a frame");
}
