#include "route.h"

#include "assets.h"
#include "folder.h"
#include "lines.h"
#include "order.h"
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARAMETERS = 4 << 20 };

/* ---- The page ---------------------------------------------------------------------- */

static const live_asset *find_asset(const char *path)
{
    for (const live_asset *asset = live_assets; asset->path; asset++) {
        if (strcmp(asset->path, path) == 0) {
            return asset;
        }
    }
    return NULL;
}

/* The page of a view is another document. */
static const live_asset *find_page(const live_site *site, const char *path)
{
    return find_asset(site->view && strcmp(path, "/") == 0 ? "/view.html" : path);
}

static live_result reply_page(const live_exchange *exchange, const char *path)
{
    const live_asset *asset = find_page(exchange->site, path);
    char cookie[256];
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
             exchange->site->cookie, exchange->site->key);
    bool first = live_exchange_argument(exchange, "token") != NULL;
    return live_reply_static(exchange, asset->bytes, asset->size, asset->type,
                             first ? cookie : NULL);
}

/* ---- The run ----------------------------------------------------------------------- */

static live_result reply_state(const live_exchange *exchange, const char *path)
{
    (void)path;
    return live_reply_json(exchange, MHD_HTTP_OK, live_state_describe(exchange->site));
}

static live_result reply_parameters(const live_exchange *exchange, const char *path)
{
    (void)path;
    json_t *document =
        live_folder_json(exchange->site->folder, "parameters.json", MOST_PARAMETERS);
    return live_reply_json(exchange, MHD_HTTP_OK,
                           document ? document : json_pack("{s:[]}", "parameters"));
}

static live_result reply_lines(const live_exchange *exchange, const char *path)
{
    (void)path;
    const char *name = live_state_file(live_exchange_argument(exchange, "of"));
    int64_t since = live_exchange_number(exchange, "since");
    live_lines lines;
    if (!name || since < 0) {
        return live_reply_error(exchange, MHD_HTTP_BAD_REQUEST,
                                "give of=frames, monitors, timings or log, and since, a "
                                "whole number from 0");
    }
    if (!live_lines_read(exchange->site->folder, name, since, &lines)) {
        return live_reply_error(exchange, MHD_HTTP_CONFLICT,
                                "the file is shorter than that: read it from 0");
    }
    return live_reply_lines(exchange, lines.text, lines.length, lines.next);
}

/* ---- Pictures ---------------------------------------------------------------------- */

static bool is_png(int file)
{
    static const unsigned char signature[] = {0x89, 'P',  'N',  'G',
                                              '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[sizeof signature];
    return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
           memcmp(bytes, signature, sizeof bytes) == 0;
}

/* Opens the picture of a line of frames.jsonl. Only a PNG below frames/ is opened. */
static int open_picture(const char *folder, int64_t at, struct stat *info)
{
    json_t *line = live_lines_at(folder, "frames.jsonl", at);
    const char *path = json_string_value(json_object_get(line, "file"));
    int file = path && strncmp(path, "frames/", 7) == 0
                   ? live_folder_open(folder, path, info)
                   : -1;
    json_decref(line);
    if (file >= 0 && !is_png(file)) {
        close(file);
        return -1;
    }
    return file;
}

/* A picture is identified by the byte at which its line begins in frames.jsonl, so that
 * no request contains a path. */
static live_result reply_picture(const live_exchange *exchange, const char *path)
{
    (void)path;
    struct stat info;
    int64_t at = live_exchange_number(exchange, "at");
    int file = at >= 0 ? open_picture(exchange->site->folder, at, &info) : -1;
    if (file < 0) {
        return live_reply_error(exchange, MHD_HTTP_NOT_FOUND,
                                "there is no such picture in the run directory");
    }
    return live_reply_file(exchange, file, info.st_size, "image/png");
}

/* ---- The view ---------------------------------------------------------------------- */

static live_result reply_view(const live_exchange *exchange, const char *path)
{
    const live_view *view = exchange->site->view;
    live_answer answer = {.code = MHD_HTTP_INTERNAL_SERVER_ERROR};
    (void)path;
    view->answer(view->context, exchange->body ? exchange->body : "", exchange->length,
                 &answer);
    return live_reply_answer(exchange, &answer);
}

static live_result reply_watch(const live_exchange *exchange, const char *path)
{
    const live_view *view = exchange->site->view;
    const int64_t after = live_exchange_number(exchange, "after");
    live_answer answer = {.code = MHD_HTTP_INTERNAL_SERVER_ERROR};
    (void)path;
    if (after < 0) {
        return live_reply_error(exchange, MHD_HTTP_BAD_REQUEST,
                                "give after, a whole number from 0");
    }
    view->watch(view->context, after, &answer);
    return live_reply_answer(exchange, &answer);
}

static live_result reply_guest(const live_exchange *exchange, const char *path)
{
    (void)path;
    return live_reply_json(exchange, MHD_HTTP_OK,
                           json_pack("{s:s}", "token", exchange->site->guest));
}

/* ---- The table --------------------------------------------------------------------- */

static const live_route routes[] = {
    {"/api/state", "GET", LIVE_ACCESS_DATA, reply_state},
    {"/api/parameters", "GET", LIVE_ACCESS_DATA, reply_parameters},
    {"/api/lines", "GET", LIVE_ACCESS_DATA, reply_lines},
    {"/api/picture", "GET", LIVE_ACCESS_DATA, reply_picture},
    {"/api/orders", "POST", LIVE_ACCESS_DATA, live_order_reply},
};

static const live_route view_routes[] = {
    {"/api/view", "POST", LIVE_ACCESS_DATA, reply_view},
    {"/api/guest", "GET", LIVE_ACCESS_DATA, reply_guest},
    {"/api/watch", "GET", LIVE_ACCESS_WATCH, reply_watch},
};

static const live_route page_route = {NULL, "GET", LIVE_ACCESS_PAGE, reply_page};

const live_route *live_route_find(const live_site *site, const char *path)
{
    const live_route *list = site->view ? view_routes : routes;
    const size_t count = site->view ? sizeof view_routes / sizeof view_routes[0]
                                    : sizeof routes / sizeof routes[0];
    for (size_t r = 0; r < count; r++) {
        if (strcmp(list[r].path, path) == 0) {
            return &list[r];
        }
    }
    return find_asset(path) ? &page_route : NULL;
}
