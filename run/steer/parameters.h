/* The table of parameters that orders may set: types, limits, values, and its JSON. Both
 * ends of a run directory use it: the program checks orders against its own table,
 * clients against the one in parameters.json. No MPI calls; all of it local. */
#ifndef RUN_STEER_PARAMETERS_H
#define RUN_STEER_PARAMETERS_H

#include "program.h"

#include <jansson.h>
#include <stdint.h>

/* A parameter of a table. Missing members are NULL. */
typedef struct steer_entry {
    char *name;
    steer_type type;
    int count; /* of numbers; 1 for text */
    double min, max;
    int nchoices;
    char **choices; /* [nchoices] */
    bool may_lack;  /* as of steer_parameter */
    char *unit, *help;
    steer_value value;
    steer_apply *apply; /* NULL: the table just keeps the value */
    void *context;
} steer_entry;

/* Zero is an empty table. Entries keep the order in which they were added. */
typedef struct steer_table {
    int count;
    steer_entry *entries; /* [count] */
} steer_table;

/* Adds a parameter; copies strings. Errors: those of steer_run_register. */
status steer_table_add(steer_table *table, const steer_parameter *parameter,
                       const steer_value *value, steer_apply *apply, void *context);

/* Removes the parameters whose names begin with `prefix`; returns their number. */
int steer_table_remove(steer_table *table, const char *prefix);

/* Removes the parameter of that name; false if there is none. */
bool steer_table_drop(steer_table *table, const char *name);

/* Frees the entries and empties the table. */
void steer_table_clear(steer_table *table);

/* The parameter of that name, or NULL. Borrowed until the table changes. */
steer_entry *steer_table_find(const steer_table *table, const char *name);

/* The same, but fails with STATUS_USAGE and the nearest name if there is none. */
status steer_table_expect(const steer_table *table, const char *name,
                          const steer_entry **out);

/*
 * Turns JSON into a value of the entry: a number, truth value or text, or an array of
 * `count` of them. STEER_TEXT takes any JSON: JSON other than a string is kept as JSON
 * text, which is also YAML. Errors: STATUS_USAGE: wrong type or count, not finite, out of
 * range, not among the choices, too long.
 */
status steer_entry_check(const steer_entry *entry, const json_t *json, steer_value *out);

/* Whether a value of the entry is "none". */
bool steer_entry_is_none(const steer_entry *entry, const steer_value *value);

/* Turns a word of a command line, such as "1,2,3", into JSON; a new reference.
 * steer_entry_check checks it against the entry. Errors: STATUS_USAGE (not a number,
 * though the entry takes numbers), STATUS_MEMORY. */
status steer_entry_parse(const steer_entry *entry, const char *word, json_t **out);

/* A value of the entry as JSON: a new reference, or NULL without memory. */
json_t *steer_entry_value(const steer_entry *entry, const steer_value *value);

/* Prints a value for users: "1, 2, 3". Cuts it at `size`. */
void steer_entry_print(const steer_entry *entry, const steer_value *value, size_t size,
                       char *text);

/* The table as the array of parameters.json: a new reference, or NULL without memory. */
json_t *steer_table_write(const steer_table *table);

/* Fills an empty table from such an array. Errors: STATUS_INPUT, STATUS_MEMORY; then the
 * table is empty. */
status steer_table_read(const json_t *array, steer_table *table);

/* The name of a type in parameters.json: "bool", "int", "real", "choice", "text". */
const char *steer_type_name(steer_type type);

/* A number as JSON, null if it is not finite. A text as JSON: if it is not UTF-8, a
 * question mark replaces each byte beyond ASCII; NULL counts as "". New references, or
 * NULL. */
json_t *steer_number(double number);
json_t *steer_string(const char *text);

/* Prints a number with the fewest digits that give back the same number. */
void steer_number_print(double number, size_t size, char *text);

#endif
