/* The rules of tuning files as JSON. Private to the room. */
#ifndef FRAME_TUNING_RULE_JSON_H
#define FRAME_TUNING_RULE_JSON_H

#include "tuned.h"

#include <jansson.h>

/* A new reference; NULL without memory. Local. */
json_t *frame_rule_describe(const frame_tuned *item);

/* Reads a rule, without looking whether its parameters suit its ranks. Returns NULL, or
 * the key with an impossible value. Local. */
const char *frame_rule_parse(const json_t *object, frame_tuned *out);

#endif
