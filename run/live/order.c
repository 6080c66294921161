#include "order.h"

#include "folder.h"
#include "run/steer/client.h"

#include <string.h>

enum { MOST_ORDERS = 8, MOST_WORDS = 16, MOST_LETTERS = 16384 };

/* The reply does not wait for longer steps: the log has the answer later. */
static const double seconds_to_wait = 3.0;

typedef struct order_list {
    int count;
    json_t *orders[MOST_ORDERS];
} order_list;

static void clear(order_list *list)
{
    for (int n = 0; n < list->count; n++) {
        json_decref(list->orders[n]);
    }
    list->count = 0;
}

/* Reads the words of one order; 0 unless it is an array of a few short texts. */
static int read_words(const json_t *array, const char *words[MOST_WORDS])
{
    size_t count = json_array_size(array);
    if (count < 1 || count > MOST_WORDS) {
        return 0;
    }
    for (size_t n = 0; n < count; n++) {
        words[n] = json_string_value(json_array_get(array, n));
        if (!words[n] || strlen(words[n]) > MOST_LETTERS) {
            return 0;
        }
    }
    return (int)count;
}

static status parse_order(const live_site *site, const json_t *array, order_list *list)
{
    const char *words[MOST_WORDS];
    int count = read_words(array, words);
    json_t *order = NULL;
    if (count == 0) {
        return base_fail(STATUS_USAGE, "an order is a list of 1 to 16 texts");
    }
    status s = steer_order_parse(site->folder, count, words, &order);
    if (s == STATUS_OK) {
        list->orders[list->count++] = order;
    }
    return s == STATUS_OK && site->check ? site->check(site->folder, order) : s;
}

static status parse_all(const live_site *site, const json_t *arrays, order_list *list)
{
    status s = STATUS_OK;
    for (size_t n = 0; s == STATUS_OK && n < json_array_size(arrays); n++) {
        s = parse_order(site, json_array_get(arrays, n), list);
    }
    return s;
}

static status send_all(const char *folder, const order_list *list, json_t **answer)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < list->count; n++) {
        bool last = n == list->count - 1;
        json_decref(*answer);
        *answer = NULL;
        s = steer_order_send(folder, list->orders[n], last ? seconds_to_wait : 0.0,
                             answer);
    }
    return s;
}

/* steer/ follows links, as it trusts its folders; here anybody may have made them. */
static status check_folders(const char *folder)
{
    return live_folder_has_folder(folder, "orders") &&
                   live_folder_has_folder(folder, "answers")
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "nothing takes orders in this run directory");
}

static unsigned code_of(status s)
{
    switch (s) {
    case STATUS_USAGE:
        return MHD_HTTP_UNPROCESSABLE_CONTENT;
    case STATUS_INPUT:
        return MHD_HTTP_CONFLICT;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

/* Called with order_lock held: the message of base_fail is that of these orders. */
static live_result carry_out(const live_exchange *exchange, const json_t *arrays)
{
    const char *folder = exchange->site->folder;
    order_list list = {0};
    json_t *answer = NULL;
    base_fail_set_message("");
    status s = check_folders(folder);
    s = s == STATUS_OK ? parse_all(exchange->site, arrays, &list) : s;
    s = s == STATUS_OK ? send_all(folder, &list, &answer) : s;
    clear(&list);
    if (s == STATUS_OK) {
        return live_reply_json(exchange, MHD_HTTP_OK,
                               json_pack("{s:o?}", "answer", answer));
    }
    json_decref(answer);
    live_result result = live_reply_error(exchange, code_of(s), base_fail_message());
    base_fail_set_message("");
    return result;
}

live_result live_order_reply(const live_exchange *exchange, const char *path)
{
    (void)path;
    const char *body = exchange->body ? exchange->body : "";
    json_t *document = json_loadb(body, exchange->length, JSON_REJECT_DUPLICATES, NULL);
    json_t *arrays = json_object_get(document, "orders");
    size_t count = json_array_size(arrays);
    live_result result;
    if (count < 1 || count > MOST_ORDERS) {
        result = live_reply_error(exchange, MHD_HTTP_BAD_REQUEST,
                                  "send {\"orders\": [[\"halt\"]]}: 1 to 8 orders");
    } else {
        pthread_mutex_lock(&exchange->site->order_lock);
        result = carry_out(exchange, arrays);
        pthread_mutex_unlock(&exchange->site->order_lock);
    }
    json_decref(document);
    return result;
}
