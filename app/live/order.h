/* Orders of the page. Inside live/ only. */
#ifndef APP_LIVE_ORDER_H
#define APP_LIVE_ORDER_H

#include "reply.h"

/*
 * Takes {"orders": [["set", "camera.position", "1,2,3"], …]}: words as on the command
 * line of karman steer, 1 to 8 orders. All are checked by steer_order_parse before the
 * first one is sent, in their order, by steer_order_send. The reply waits some seconds
 * for the answer to the last one: {"answer": {…}}, or null where none came; the order
 * stays. What becomes of the others is in log.jsonl. Refused: 400 (no such document), 409
 * (nothing runs there), 422 (the order is wrong; the sentence says why).
 */
live_result live_order_reply(const live_exchange *exchange, const char *path);

#endif
