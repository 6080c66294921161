/* A request from its first byte to its reply: check, read, answer. */
#include "guard.h"
#include "route.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TOKEN_HEADER "X-Karman-Token"

typedef struct refusal {
    unsigned code; /* 0: not refused */
    const char *sentence;
} refusal;

/* ---- Checks ------------------------------------------------------------------------ */

/* Headers that may occur once only. With two of them, this server and a proxy before it
 * might each believe another one. */
static const char *const single[] = {
    MHD_HTTP_HEADER_HOST,           MHD_HTTP_HEADER_ORIGIN,
    MHD_HTTP_HEADER_CONTENT_LENGTH, MHD_HTTP_HEADER_TRANSFER_ENCODING,
    MHD_HTTP_HEADER_CONTENT_TYPE,   TOKEN_HEADER};

enum { SINGLE = sizeof single / sizeof single[0] };

typedef struct header_look {
    int counts[SINGLE];
    bool has_blank; /* in a header's name: some readers take it as part of the name, some
                       do not */
} header_look;

static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind,
                                      const char *name, const char *value)
{
    header_look *look = context;
    (void)kind;
    (void)value;
    look->has_blank = look->has_blank || strpbrk(name, " \t");
    for (int n = 0; n < SINGLE; n++) {
        look->counts[n] += strcasecmp(name, single[n]) == 0;
    }
    return MHD_YES;
}

static refusal check_headers(const live_exchange *exchange)
{
    header_look look = {0};
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, look_at_header,
                              &look);
    if (look.has_blank) {
        return (refusal){MHD_HTTP_BAD_REQUEST, "the name of a header has a blank"};
    }
    for (int n = 0; n < SINGLE; n++) {
        if (look.counts[n] > 1) {
            return (refusal){MHD_HTTP_BAD_REQUEST, "a header occurs twice"};
        }
    }
    const char *coding =
        live_exchange_header(exchange, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    const char *length = live_exchange_header(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return coding && (length || strcasecmp(coding, "chunked") != 0)
               ? (refusal){MHD_HTTP_BAD_REQUEST,
                           "send a body with its length, or else chunked"}
               : (refusal){0};
}

static refusal check_origin(const live_exchange *exchange)
{
    const char *host = live_exchange_header(exchange, MHD_HTTP_HEADER_HOST);
    if (!live_guard_host(host, exchange->site->proxy)) {
        return (refusal){MHD_HTTP_FORBIDDEN, "ask for 127.0.0.1 or localhost"};
    }
    if (!live_guard_origin(live_exchange_header(exchange, MHD_HTTP_HEADER_ORIGIN), host,
                           exchange->site->proxy)) {
        return (refusal){MHD_HTTP_FORBIDDEN, "requests of other pages are refused"};
    }
    return (refusal){0};
}

static bool may_open_page(const live_exchange *exchange)
{
    const live_site *site = exchange->site;
    const char *cookie =
        MHD_lookup_connection_value(exchange->connection, MHD_COOKIE_KIND, site->cookie);
    const char *token = live_exchange_argument(exchange, "token");
    return live_secret_equal(site->token, token) ||
           live_secret_equal(site->key, cookie) ||
           (site->view && live_secret_equal(site->guest, token));
}

static bool may_have_data(const live_exchange *exchange)
{
    const live_site *site = exchange->site;
    const bool watches = exchange->route && exchange->route->access == LIVE_ACCESS_WATCH;
    const char *token = live_exchange_header(exchange, TOKEN_HEADER);
    return live_secret_equal(site->token, token) ||
           (watches && live_secret_equal(site->guest, token));
}

/* Checks the secret. An unknown path needs the same secret as data, so that nobody
 * without it learns which paths exist. */
static refusal check_access(const live_exchange *exchange)
{
    bool page = exchange->route && exchange->route->access == LIVE_ACCESS_PAGE;
    if (page ? may_open_page(exchange) : may_have_data(exchange)) {
        return (refusal){0};
    }
    return (refusal){MHD_HTTP_UNAUTHORIZED,
                     "open the address that karman has printed: it has the token"};
}

static refusal check_method(const live_exchange *exchange, const char *method)
{
    const char *wanted = exchange->route->method;
    bool head = strcmp(wanted, "GET") == 0 && strcmp(method, "HEAD") == 0;
    return strcmp(method, wanted) == 0 || head
               ? (refusal){0}
               : (refusal){MHD_HTTP_METHOD_NOT_ALLOWED, "this path takes another method"};
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type && strncmp(type, json, length) == 0 &&
           (type[length] == '\0' || type[length] == ';');
}

static refusal check_body(const live_exchange *exchange)
{
    const char *length = live_exchange_header(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length && (live_whole_number(length) < 0 ||
                   live_whole_number(length) > (int64_t)live_exchange_most(exchange))) {
        return (refusal){MHD_HTTP_CONTENT_TOO_LARGE,
                         exchange->site->view ? "a request may have 4 MiB at most"
                                              : "a request may have 64 KiB at most"};
    }
    bool posts = strcmp(exchange->route->method, "POST") == 0;
    if (posts && !is_json(live_exchange_header(exchange, MHD_HTTP_HEADER_CONTENT_TYPE))) {
        return (refusal){MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "send application/json"};
    }
    return (refusal){0};
}

/* Checks the sender of the request, and its origin. */
static refusal check_caller(const live_exchange *exchange)
{
    refusal found = check_headers(exchange);
    found = found.code ? found : check_origin(exchange);
    return found.code ? found : check_access(exchange);
}

/* Checks the request itself. */
static refusal check_request(const live_exchange *exchange, const char *method)
{
    if (!exchange->route) {
        return (refusal){MHD_HTTP_NOT_FOUND, "there is no such path"};
    }
    refusal found = check_method(exchange, method);
    return found.code ? found : check_body(exchange);
}

static refusal check(live_exchange *exchange, const char *method)
{
    refusal found = check_caller(exchange);
    if (found.code) {
        return found;
    }
    exchange->is_trusted = true;
    live_connections_trust(exchange->connection);
    return check_request(exchange, method);
}

/* ---- The life of a request --------------------------------------------------------- */

/* Keeps a piece of the body. A chunked body may prove too long only now: then the
 * connection is closed. */
static enum MHD_Result take_body(live_exchange *exchange, const char *bytes,
                                 size_t *length)
{
    if (*length > live_exchange_most(exchange) - exchange->length) {
        return MHD_NO;
    }
    char *body = realloc(exchange->body, exchange->length + *length);
    if (!body) {
        return MHD_NO;
    }
    memcpy(body + exchange->length, bytes, *length);
    exchange->body = body;
    exchange->length += *length;
    *length = 0;
    return MHD_YES;
}

static enum MHD_Result begin(live_site *site, struct MHD_Connection *connection,
                             const char *path, const char *method, void **state)
{
    live_exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange) {
        return MHD_NO;
    }
    *exchange = (live_exchange){
        .site = site, .connection = connection, .route = live_route_find(site, path)};
    *state = exchange;
    refusal found = check(exchange, method);
    return found.code ? live_reply_error(exchange, found.code, found.sentence) : MHD_YES;
}

enum MHD_Result live_exchange_handle(void *site, struct MHD_Connection *connection,
                                     const char *path, const char *method,
                                     const char *version, const char *body,
                                     size_t *length, void **state)
{
    (void)version;
    live_exchange *exchange = *state;
    if (!exchange) {
        return begin(site, connection, path, method, state);
    }
    if (*length > 0) {
        return take_body(exchange, body, length);
    }
    live_connections_reply(connection);
    return exchange->route->reply(exchange, path);
}

void live_exchange_forget(void *site, struct MHD_Connection *connection, void **state,
                          enum MHD_RequestTerminationCode code)
{
    (void)site;
    (void)code;
    live_connections_await(connection);
    live_exchange *exchange = *state;
    if (exchange) {
        free(exchange->body);
        free(exchange);
    }
    *state = NULL;
}
