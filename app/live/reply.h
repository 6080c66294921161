/* Replies, each with the headers that keep the page to itself. Inside live/ only. */
#ifndef APP_LIVE_REPLY_H
#define APP_LIVE_REPLY_H

#include "site.h"

#include <stdint.h>

typedef enum MHD_Result live_result;

/* Sends a sentence as {"error": "…"} with an HTTP code. */
live_result live_reply_error(const live_exchange *exchange, unsigned code,
                             const char *sentence);

/* Sends a document, whose reference is taken; NULL: memory ran out. */
live_result live_reply_json(const live_exchange *exchange, unsigned code,
                            json_t *document);

/* Sends lines, which are freed, and in the header Karman-Next where to go on. */
live_result live_reply_lines(const live_exchange *exchange, char *text, size_t length,
                             int64_t next);

/* Sends the bytes of a file, which is closed. */
live_result live_reply_file(const live_exchange *exchange, int file, int64_t size,
                            const char *type);

/* Sends bytes that stay where they are; with `cookie` a Set-Cookie header, else NULL. */
live_result live_reply_static(const live_exchange *exchange, const unsigned char *bytes,
                              size_t size, const char *type, const char *cookie);

#endif
