/* Replies, with the headers that keep other sites away from the page. Inside live/
 * only. */
#ifndef RUN_LIVE_REPLY_H
#define RUN_LIVE_REPLY_H

#include "site.h"

#include <stdint.h>

typedef enum MHD_Result live_result;

/* Sends a sentence as {"error": "…"} with an HTTP code. */
live_result live_reply_error(const live_exchange *exchange, unsigned code,
                             const char *sentence);

/* Sends a document, and takes its reference. NULL stands for a lack of memory. */
live_result live_reply_json(const live_exchange *exchange, unsigned code,
                            json_t *document);

/* Sends lines, and frees them. The header Karman-Next has the offset of the next read. */
live_result live_reply_lines(const live_exchange *exchange, char *text, size_t length,
                             int64_t next);

/* Sends the bytes of a file, and closes it. */
live_result live_reply_file(const live_exchange *exchange, int file, int64_t size,
                            const char *type);

/* Sends the answer of a view, and takes its bytes. */
live_result live_reply_answer(const live_exchange *exchange, live_answer *answer);

/* Sends bytes, which must stay valid. `cookie` is a Set-Cookie header, or NULL. */
live_result live_reply_static(const live_exchange *exchange, const unsigned char *bytes,
                              size_t size, const char *type, const char *cookie);

#endif
