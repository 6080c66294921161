#include "page.h"

#include "io/json/json.h"

typedef const char *text_of(int n, int which);
typedef int flags_of(int n);

/* The names of operations or algorithms. */
static json_t *describe_names(text_of *text, flags_of *flags)
{
    json_t *list = json_array();
    int failed = 0;
    for (int n = 0; text(n, BROWSER_NAME); n++) {
        failed |= json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:i}", "name", text(n, BROWSER_NAME),
                      "summary", text(n, BROWSER_SUMMARY), "source",
                      text(n, BROWSER_SOURCE), "formula", text(n, BROWSER_FORMULA),
                      "order", text(n, BROWSER_ORDER), "flags", flags(n)));
    }
    return io_json_finish(list, failed);
}

static json_t *describe_table(browser_core *core, int table)
{
    const double *numbers = browser_numbers(core, table);
    json_t *list = json_array();
    int failed = 0;
    for (int i = 0; i < browser_numbers_count(core, table); i++) {
        const json_int_t whole = (json_int_t)numbers[i];
        failed |= json_array_append_new(list, (double)whole == numbers[i]
                                                  ? json_integer(whole)
                                                  : json_real(numbers[i]));
    }
    return io_json_finish(list, failed);
}

/* All tables of a run. */
static json_t *describe_tables(browser_core *core)
{
    static const char *const names[BROWSER_RANGES] = {
        "ops",    "begin", "messages", "path",  "finish",
        "totals", "cost",  "borders",  "given", "promised"};
    json_t *tables = json_object();
    int failed = 0;
    for (int n = 0; n < BROWSER_RANGES; n++) {
        failed |= json_object_set_new(tables, names[n], describe_table(core, n));
    }
    return io_json_finish(tables, failed);
}

status player_add_run(json_t *data, browser_core *core)
{
    int failed = json_object_set_new(
        data, "operations",
        describe_names(browser_operation_text, browser_operation_flags));
    failed |= json_object_set_new(
        data, "algorithms",
        describe_names(browser_algorithm_text, browser_algorithm_flags));
    failed |= json_object_set_new(data, "run",
                                  json_pack("{s:o, s:s}", "tables", describe_tables(core),
                                            "sentence", browser_sentence(core)));
    return failed ? base_fail_memory(4096, "the tables of a page") : STATUS_OK;
}
