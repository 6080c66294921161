#include "rule_json.h"

#include "io/json/json.h"

#include <limits.h>
#include <string.h>

/* ---- Writing ----------------------------------------------------------------------- */

json_t *frame_rule_describe(const frame_tuned *item)
{
    const composite_rule *rule = &item->rule;
    const composite_choice *choice = &rule->choice;
    json_t *factors = json_array();
    for (int f = 0; f < choice->params.nfactors; f++) {
        json_array_append_new(factors, json_integer(choice->params.factors[f]));
    }
    return json_pack(
        "{s:i, s:i, s:i, s:s, s:I, s:o, s:s, s:o, s:i, s:i, s:b, s:i, s:s, s:o, s:o, "
        "s:o}",
        "ranks", item->crowd.ranks, "nodes", item->crowd.nodes, "ranks_a_node",
        item->crowd.node_ranks, "target", composite_target_names[rule->target], "pixels",
        (json_int_t)rule->pixels, "activity", io_json_number(rule->activity), "algorithm",
        choice->algorithm ? choice->algorithm->name : "auto", "factors", factors, "group",
        choice->params.group, "fan_in", choice->params.fan_in, "by_nodes",
        choice->by_nodes, "segment", choice->segment, "encoding",
        composite_encoding_names[choice->encoding], "seconds",
        io_json_number(item->seconds), "auto_seconds",
        io_json_number(item->usual_seconds), "spread", io_json_number(item->spread));
}

/* ---- Reading ----------------------------------------------------------------------- */

/* The first key that could not be read; NULL: none. */
typedef struct reading {
    const json_t *object;
    const char *wrong;
} reading;

static void expect(reading *r, bool right, const char *key)
{
    r->wrong = r->wrong || right ? r->wrong : key;
}

static int64_t read_whole(reading *r, const char *key, int64_t least, int64_t most)
{
    const json_t *json = json_object_get(r->object, key);
    const json_int_t value = json_integer_value(json);
    expect(r, json_is_integer(json) && value >= least && value <= most, key);
    return r->wrong ? least : (int64_t)value;
}

static int read_int(reading *r, const char *key, int least, int most)
{
    return (int)read_whole(r, key, least, most);
}

/* A number that is above 0, or at least 0 if it `may_be_zero`. */
static double read_number(reading *r, const char *key, bool may_be_zero)
{
    const json_t *json = json_object_get(r->object, key);
    const double value = json_number_value(json);
    expect(r, json_is_number(json) && (value > 0 || (may_be_zero && value == 0)), key);
    return value;
}

/* The number of a name among `count`; 0 if it could not be read. */
static int read_name(reading *r, const char *key, const char *const *names, int count)
{
    const char *name = json_string_value(json_object_get(r->object, key));
    int n = 0;
    while (name && n < count && strcmp(name, names[n]) != 0) {
        n++;
    }
    expect(r, name && n < count, key);
    return r->wrong ? 0 : n;
}

/* Files of earlier versions have none: then it is auto. */
static composite_encoding read_encoding(reading *r)
{
    return json_object_get(r->object, "encoding")
               ? (composite_encoding)read_name(r, "encoding", composite_encoding_names,
                                               COMPOSITE_ENCODINGS)
               : COMPOSITE_ENCODING_AUTO;
}

static void read_factors(reading *r, composite_params *params)
{
    const json_t *list = json_object_get(r->object, "factors");
    const size_t count = json_array_size(list);
    expect(r, json_is_array(list) && count <= COMPOSITE_MAX_FACTORS, "factors");
    for (size_t f = 0; f < count && !r->wrong; f++) {
        const json_t *json = json_array_get(list, f);
        const json_int_t factor = json_integer_value(json);
        expect(r, json_is_integer(json) && factor >= 2 && factor <= INT_MAX, "factors");
        params->factors[params->nfactors++] = (int)factor;
    }
}

static composite_choice read_choice(reading *r)
{
    const char *name = json_string_value(json_object_get(r->object, "algorithm"));
    composite_choice choice = {.algorithm = name ? composite_algorithm_find(name) : NULL};
    const json_t *by_nodes = json_object_get(r->object, "by_nodes");
    expect(r, choice.algorithm || (name && strcmp(name, "auto") == 0), "algorithm");
    read_factors(r, &choice.params);
    choice.params.group = read_int(r, "group", 0, INT_MAX);
    choice.params.fan_in = read_int(r, "fan_in", 0, INT_MAX);
    expect(r, json_is_boolean(by_nodes), "by_nodes");
    choice.by_nodes = json_is_true(by_nodes);
    choice.segment = read_int(r, "segment", 0, COMPOSITE_MOST_SEGMENT);
    expect(r, choice.segment == 0 || choice.segment >= COMPOSITE_LEAST_SEGMENT,
           "segment");
    choice.encoding = read_encoding(r);
    return choice.algorithm ? choice : (composite_choice){.encoding = choice.encoding};
}

const char *frame_rule_parse(const json_t *object, frame_tuned *out)
{
    reading r = {.object = object};
    composite_rule *rule = &out->rule;
    *out = (frame_tuned){.rule = {.reason = COMPOSITE_TUNED}};
    out->crowd.ranks = read_int(&r, "ranks", 1, INT_MAX);
    out->crowd.nodes = read_int(&r, "nodes", 1, INT_MAX);
    out->crowd.node_ranks = read_int(&r, "ranks_a_node", 1, INT_MAX);
    rule->target = (composite_target)read_name(&r, "target", composite_target_names,
                                               COMPOSITE_TARGETS);
    rule->pixels = read_whole(&r, "pixels", 1, (int64_t)1 << 40);
    rule->activity = read_number(&r, "activity", false);
    expect(&r, rule->activity <= 1.0, "activity");
    rule->choice = read_choice(&r);
    out->seconds = read_number(&r, "seconds", true);
    out->usual_seconds = read_number(&r, "auto_seconds", true);
    out->spread = read_number(&r, "spread", true);
    return r.wrong;
}
