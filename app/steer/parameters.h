/* What may be set: a table of parameters with types, limits and values, and its JSON.
 * Both ends of a run directory use it: the program checks orders against its table, who
 * gives orders against the one in parameters.json. No MPI calls; all of it local. */
#ifndef APP_STEER_PARAMETERS_H
#define APP_STEER_PARAMETERS_H

#include "program.h"

#include <jansson.h>
#include <stdint.h>

/* A parameter of a table; what is not there is NULL. */
typedef struct steer_entry {
    char *name;
    steer_type type;
    int count; /* of numbers; 1 where the value is text */
    double min, max;
    int nchoices;
    char **choices; /* [nchoices] */
    char *unit, *help;
    steer_value value;
    steer_apply *apply; /* NULL: the value is just kept */
    void *context;
} steer_entry;

/* Zero is an empty table. Entries are in the order in which they were added. */
typedef struct steer_table {
    int count;
    int64_t capacity;
    steer_entry *entries; /* [count] */
} steer_table;

/* Adds a parameter; strings are copied. Errors as steer_run_register. */
status steer_table_add(steer_table *table, const steer_parameter *parameter,
                       const steer_value *value, steer_apply *apply, void *context);

/* Removes the parameters whose names begin with `prefix`; returns how many. */
int steer_table_remove(steer_table *table, const char *prefix);

/* Frees what the table holds and empties it. */
void steer_table_clear(steer_table *table);

/* The parameter of that name, or NULL. Borrowed until the table changes. */
steer_entry *steer_table_find(const steer_table *table, const char *name);

/* The same, but where there is none it fails with STATUS_USAGE and the nearest name. */
status steer_table_expect(const steer_table *table, const char *name,
                          const steer_entry **out);

/*
 * Turns JSON into a value of the entry: a number, truth value or text, or an array of
 * `count` of them. JSON for an entry of type STEER_TEXT that is no text is kept as JSON,
 * which is YAML, too. Errors: STATUS_USAGE: wrong type or count, not finite, out of
 * range, not among the choices, too long.
 */
status steer_entry_check(const steer_entry *entry, const json_t *json, steer_value *out);

/* Turns a word of a command line, "1,2,3" say, into JSON; a new reference. Whether it
 * fits the entry steer_entry_check says. Errors: STATUS_USAGE (no number where there
 * should be one), STATUS_MEMORY. */
status steer_entry_parse(const steer_entry *entry, const char *word, json_t **out);

/* A value of the entry as JSON; a new reference, NULL where memory is short. */
json_t *steer_entry_value(const steer_entry *entry, const steer_value *value);

/* Writes a value as people write it: "1, 2, 3". Cut where it is too long. */
void steer_entry_print(const steer_entry *entry, const steer_value *value, size_t size,
                       char *text);

/* The table as the array of parameters.json; a new reference, NULL where memory is
 * short. */
json_t *steer_table_write(const steer_table *table);

/* Fills an empty table from such an array. Errors: STATUS_INPUT, STATUS_MEMORY; the table
 * is empty then. */
status steer_table_read(const json_t *array, steer_table *table);

/* The name of a type in parameters.json: "bool", "int", "real", "choice", "text". */
const char *steer_type_name(steer_type type);

/* A number as JSON, null where it is not finite; text as JSON, with a question mark for
 * each byte beyond ASCII of a text that is no UTF-8; NULL counts as "". New references,
 * or NULL. */
json_t *steer_number(double number);
json_t *steer_string(const char *text);

/* Writes a number with as few digits as give back the same number. */
void steer_number_print(double number, size_t size, char *text);

#endif
