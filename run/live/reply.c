#include "reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct header {
    const char *name, *value;
} header;

/* With these headers the browser loads nothing from other sites, shows the page in no
 * other site, and keeps no copy. */
static const header common[] = {
    {"Content-Security-Policy", "default-src 'self'; img-src 'self' blob: data:; "
                                "object-src 'none'; base-uri 'none'; "
                                "form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* Queues the response, and takes its reference. */
static live_result queue(const live_exchange *exchange, unsigned code,
                         struct MHD_Response *response, const char *type)
{
    if (!response) {
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t h = 0; h < sizeof common / sizeof common[0]; h++) {
        MHD_add_response_header(response, common[h].name, common[h].value);
    }
    if (code == MHD_HTTP_UNAUTHORIZED) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Karman");
    }
    /* The connections of strangers end after the reply. */
    if (!exchange->is_trusted) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    live_connections_reply(exchange->connection);
    live_result result = MHD_queue_response(exchange->connection, code, response);
    MHD_destroy_response(response);
    return result;
}

live_result live_reply_json(const live_exchange *exchange, unsigned code,
                            json_t *document)
{
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    size_t length = 0;
    while (text && text[length] != '\0') {
        length++;
    }
    json_decref(document);
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE)
             : NULL;
    return queue(exchange, code, response, "application/json");
}

live_result live_reply_error(const live_exchange *exchange, unsigned code,
                             const char *sentence)
{
    return live_reply_json(exchange, code, json_pack("{s:s}", "error", sentence));
}

live_result live_reply_lines(const live_exchange *exchange, char *text, size_t length,
                             int64_t next)
{
    char number[32];
    snprintf(number, sizeof number, "%" PRId64, next);
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE)
             : MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, "Karman-Next", number);
    }
    return queue(exchange, MHD_HTTP_OK, response, "application/jsonl; charset=utf-8");
}

live_result live_reply_file(const live_exchange *exchange, int file, int64_t size,
                            const char *type)
{
    struct MHD_Response *response = MHD_create_response_from_fd64((uint64_t)size, file);
    if (!response) {
        close(file);
    }
    return queue(exchange, MHD_HTTP_OK, response, type);
}

live_result live_reply_answer(const live_exchange *exchange, live_answer *answer)
{
    struct MHD_Response *response =
        answer->bytes ? MHD_create_response_from_buffer(answer->size, answer->bytes,
                                                        MHD_RESPMEM_MUST_FREE)
                      : MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(answer->bytes);
    } else if (answer->note) {
        MHD_add_response_header(response, "Karman-View", answer->note);
    }
    free(answer->note);
    return queue(exchange, answer->code, response,
                 answer->type ? answer->type : "application/json");
}

live_result live_reply_static(const live_exchange *exchange, const unsigned char *bytes,
                              size_t size, const char *type, const char *cookie)
{
    /* libmicrohttpd only reads the buffer, but its older interface lacks the const. */
    union {
        const unsigned char *in;
        void *out;
    } buffer = {.in = bytes};
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, buffer.out, MHD_RESPMEM_PERSISTENT);
    if (response && cookie) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    }
    return queue(exchange, MHD_HTTP_OK, response, type);
}
