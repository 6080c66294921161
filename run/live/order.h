/* Orders of the page. Inside live/ only. */
#ifndef RUN_LIVE_ORDER_H
#define RUN_LIVE_ORDER_H

#include "reply.h"

/*
 * Takes {"orders": [["set", "camera.position", "1,2,3"], …]}: 1 to 8 orders, in the words
 * of karman steer's command line. All orders are checked before the first one is sent
 * (steer_order_parse, steer_order_send). They are sent in their order.
 *
 * The reply waits some seconds for the answer to the last order: {"answer": {…}}, or null
 * if none has come. The order then stays. The answers to the other orders are in
 * log.jsonl. Refused: 400 (no such document), 409 (no program runs there), 422 (the order
 * is wrong; the sentence says why).
 */
live_result live_order_reply(const live_exchange *exchange, const char *path);

#endif
