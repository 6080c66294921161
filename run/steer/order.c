#include "order.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static const char *const verb_names[STEER_VERBS] = {
    [STEER_NOTHING] = "",      [STEER_SET] = "set",       [STEER_CHANGE] = "change",
    [STEER_HALT] = "halt",     [STEER_RESUME] = "resume", [STEER_STEP] = "step",
    [STEER_REDRAW] = "redraw", [STEER_STOP] = "stop"};

const char *steer_verb_name(steer_verb verb)
{
    return verb_names[verb];
}

steer_verb steer_verb_find(const char *word)
{
    for (int v = STEER_SET; v < STEER_VERBS; v++) {
        if (strcmp(word, verb_names[v]) == 0) {
            return (steer_verb)v;
        }
    }
    return STEER_NOTHING;
}

status steer_verb_fail(const char *word)
{
    const int first = STEER_SET, count = STEER_VERBS - STEER_SET;
    char known[128];
    base_words_list(count, verb_names + first, sizeof known, known);
    const char *nearest = base_words_nearest(word, count, verb_names + first);
    return nearest
               ? base_fail(STATUS_USAGE, "there is no order '%.64s': did you mean '%s'?",
                           word, nearest)
               : base_fail(STATUS_USAGE, "there is no order '%.64s', only %s", word,
                           known);
}

static status check_set(const json_t *json, const steer_table *table, steer_order *order)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    const json_t *value = json_object_get(json, "value");
    if (!name || !value) {
        return base_fail(STATUS_USAGE, "the order 'set' needs a 'name' and a 'value'");
    }
    const steer_entry *entry = NULL;
    status s = steer_table_expect(table, name, &entry);
    if (s != STATUS_OK) {
        return s;
    }
    strcpy(order->name, entry->name); /* its length fits, as the table has checked */
    return steer_entry_check(entry, value, &order->value);
}

/* Adds a text, or the text of an object, to the change. */
static status add_change(const json_t *json, size_t *used, steer_order *order)
{
    char *dumped = json_is_object(json) ? json_dumps(json, JSON_COMPACT) : NULL;
    const char *text = dumped ? dumped : json_string_value(json);
    const size_t length = text ? strlen(text) : 0;
    status s = STATUS_OK;
    if (length == 0 || (json_is_string(json) && json_string_length(json) != length)) {
        s = base_fail(STATUS_USAGE, "the order 'change' needs a 'config': texts such as "
                                    "\"layers.1.shown=false\"");
    } else if (*used + length + 2 > sizeof order->texts) {
        s = base_fail(STATUS_USAGE, "a change has at most %d bytes: send several orders",
                      (int)sizeof order->texts - 2);
    } else {
        memcpy(order->texts + *used, text, length + 1);
        *used += length + 1;
    }
    free(dumped);
    return s;
}

static status check_change(const json_t *json, steer_order *order)
{
    const json_t *config = json_object_get(json, "config");
    size_t used = 0;
    if (!json_is_array(config) || json_array_size(config) == 0) {
        return add_change(config, &used, order);
    }
    status s = STATUS_OK;
    for (size_t n = 0; n < json_array_size(config) && s == STATUS_OK; n++) {
        s = add_change(json_array_get(config, n), &used, order);
    }
    return s;
}

static status check_step(const json_t *json, steer_state state, steer_order *order)
{
    const json_t *count = json_object_get(json, "count");
    if (state != STEER_HALTED) {
        return base_fail(STATUS_USAGE,
                         "the program does not wait: send 'halt' before 'step'");
    }
    order->steps = 1;
    if (!count) {
        return STATUS_OK;
    }
    json_int_t steps = json_integer_value(count);
    if (!json_is_integer(count) || steps < 1 || steps > STEER_MAX_STEPS) {
        return base_fail(STATUS_USAGE, "'step' takes a whole number from 1 to %d",
                         (int)STEER_MAX_STEPS);
    }
    order->steps = (int)steps;
    return STATUS_OK;
}

status steer_order_check(const json_t *json, const steer_table *table, steer_state state,
                         steer_order *out)
{
    const char *word = json_string_value(json_object_get(json, "order"));
    if (!word) {
        return base_fail(STATUS_USAGE,
                         "an order is a JSON object with the key 'order', like "
                         "{\"order\": \"halt\"}");
    }
    steer_order order;
    memset(&order, 0, sizeof order); /* all bytes are broadcast */
    order.verb = steer_verb_find(word);
    if (order.verb == STEER_NOTHING) {
        return steer_verb_fail(word);
    }
    if (state == STEER_STOPPED) {
        return base_fail(STATUS_USAGE, "the program is about to end: nothing can be "
                                       "changed any more");
    }
    status s = order.verb == STEER_SET      ? check_set(json, table, &order)
               : order.verb == STEER_CHANGE ? check_change(json, &order)
               : order.verb == STEER_STEP   ? check_step(json, state, &order)
                                            : STATUS_OK;
    if (s == STATUS_OK) {
        *out = order;
    }
    return s;
}

/* Spelled out, as isalnum() depends on the locale. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_' || c == '.';
}

bool steer_order_is_file(const char *name)
{
    static const char ending[] = ".json";
    size_t length = strlen(name);
    if (length >= STEER_MAX_FILE || length < sizeof ending || name[0] == '.' ||
        strcmp(name + length - (sizeof ending - 1), ending) != 0) {
        return false;
    }
    for (const char *at = name; *at != '\0'; at++) {
        if (!is_plain(*at)) {
            return false;
        }
    }
    return true;
}
