/*
 * The table of keys: one entry is the complete description of a key of a config.
 *
 *     static const io_key camera_keys[] = {
 *         {"fov", IO_KEY_NUMBER, IO_AT(io_camera_config, fov), IO_BETWEEN(0, 180),
 *          .fallback = "30", .unit = "degrees", .help = "full vertical angle of view"},
 *         ...
 *         {NULL},
 *     };
 *
 * Reading, checks, defaults, freeing, help and docs/user/config.md use these tables
 * (io/config/keys/keys.h). Members that an entry does not set are zero.
 */
#ifndef IO_CONFIG_KEYS_KEY_H
#define IO_CONFIG_KEYS_KEY_H

#include "base/status.h"
#include "io/config/document/section.h"

#include <stdbool.h>
#include <stddef.h>

/* The type of a value, and of the structure member for it. */
typedef enum io_key_type {
    IO_KEY_BOOL,    /* bool */
    IO_KEY_INT,     /* int */
    IO_KEY_INT64,   /* int64_t */
    IO_KEY_FLOAT,   /* float */
    IO_KEY_NUMBER,  /* double */
    IO_KEY_TEXT,    /* char *, not empty */
    IO_KEY_PATH,    /* char *, relative to the folder of the config */
    IO_KEY_PATTERN, /* the same, for io_config_expand */
    IO_KEY_CHOICE,  /* an enum or a bool: one of `words` */
    IO_KEY_SECTION, /* a structure with the keys `below` */
    IO_KEY_OTHER    /* read by the entry's own function `read` */
} io_key_type;

/* The number of values. */
typedef enum io_key_many {
    IO_KEY_ONE,
    IO_KEY_FIXED,   /* an array of `most` */
    IO_KEY_COUNTED, /* an array of at most `most`, with a member for the count */
    IO_KEY_GROWN    /* a pointer to allocated values, with a member for the count */
} io_key_many;

typedef enum io_key_bounds {
    IO_KEY_ANY,
    IO_KEY_ABOVE,   /* low < value */
    IO_KEY_FROM,    /* low <= value */
    IO_KEY_WITHIN,  /* low <= value <= high */
    IO_KEY_UP_TO,   /* low < value <= high */
    IO_KEY_BETWEEN, /* low < value < high */
    IO_KEY_COLOR    /* three values in 0..1, or a text: io/config/colors/color.h */
} io_key_bounds;

/* Lists from which a text may be chosen, beside any other text. */
typedef enum io_key_offer {
    IO_OFFERS_NOTHING,
    IO_OFFERS_FIELDS, /* of the data, or derived */
    IO_OFFERS_COLORS  /* names of colour maps */
} io_key_offer;

typedef struct io_key_range {
    io_key_bounds bounds;
    double low, high;
} io_key_range;

/* A word of a choice and its value. The list ends with a NULL word. */
typedef struct io_key_word {
    const char *word;
    int value;
} io_key_word;

enum {
    IO_KEY_REQUIRED = 1, /* an error if it is missing */
    IO_KEY_STEERABLE =
        2,              /* running programs accept changes of it and of all keys below */
    IO_KEY_POINTER = 4, /* the member is a pointer to the section, which is allocated */
    IO_KEY_WRAPPED = 8, /* a single value may stand without the brackets of its list */
    IO_KEY_APART = 16,  /* io_keys_load skips it; it has a reader of its own */
    IO_KEY_QUIET = 32,  /* its default is omitted from the canonical form */
    IO_KEY_WHOLE = 64   /* orders change a list of sections as a whole, not its entries */
};

typedef struct io_key {
    const char *name; /* NULL: the end of the table */
    io_key_type type;
    io_key_many many;
    size_t offset, size; /* of the member; size of one entry of a grown list, and of a
                            section behind a pointer */
    size_t count_offset; /* of the member for the count, an int */
    int least, most;     /* entries of a list; most 0: no limit */
    int width;           /* above 0: each entry of a list is a list of this many values */
    io_key_range range;  /* of each value */
    unsigned flags;
    io_key_offer offers;        /* to pages and menus */
    const io_key_word *words;   /* of a choice */
    const struct io_key *below; /* of a section: its keys */
    const char
        *absent; /* these words, separated by spaces, stand for no value: "auto"; NULL */
    const char *instead;   /* for messages: the possible values beside `absent` */
    const char *shorthand; /* of a section: a single word in its place sets this choice or
                              path in it; "": `true` stands for its defaults; NULL */
    /* For IO_KEY_OTHER: reads the value into the structure, and frees it. */
    status (*read)(const io_section *section, const struct io_key *key, void *structure);
    void (*release)(void *structure);
    /* The default as YAML, and a default that depends on keys earlier in the table; NULL:
     * none. */
    const char *fallback;
    const char *(*choose)(const io_section *section);
    const char *example; /* the text to write, from the top of the config, for the message
                            if it is missing; NULL */
    /* For help: type and default in words, if they do not follow from the other members;
     * unit; help text */
    const char *kind, *otherwise, *unit, *help;
} io_key;

/* Members of a section's structure. Types and members take no parentheses.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define IO_SIZE(_structure, _member) sizeof(((_structure *)NULL)->_member)
#define IO_AT(_structure, _member)                                                       \
    .offset = offsetof(_structure, _member), .size = IO_SIZE(_structure, _member)

/* A section behind a pointer. */
#define IO_BEHIND(_structure, _member)                                                   \
    .flags = IO_KEY_POINTER, .offset = offsetof(_structure, _member),                    \
    .size = IO_SIZE(_structure, _member[0])

/* A fixed number of values; a limited number; any number, allocated. */
#define IO_FIXED(_structure, _member, _count)                                            \
    .many = IO_KEY_FIXED, .most = (_count), .least = (_count),                           \
    .offset = offsetof(_structure, _member),                                             \
    .size = IO_SIZE(_structure, _member) / (_count)
#define IO_COUNTED(_structure, _member, _counter, _most)                                 \
    .many = IO_KEY_COUNTED, .least = 1, .most = (_most),                                 \
    .offset = offsetof(_structure, _member), .size = IO_SIZE(_structure, _member[0]),    \
    .count_offset = offsetof(_structure, _counter)
#define IO_GROWN(_structure, _member, _counter)                                          \
    .many = IO_KEY_GROWN, .least = 1, .offset = offsetof(_structure, _member),           \
    .size = IO_SIZE(_structure, _member[0]),                                             \
    .count_offset = offsetof(_structure, _counter)

/* Ranges. */
#define IO_ABOVE(_low)          .range = {IO_KEY_ABOVE, (_low), 0.0}
#define IO_FROM(_low)           .range = {IO_KEY_FROM, (_low), 0.0}
#define IO_WITHIN(_low, _high)  .range = {IO_KEY_WITHIN, (_low), (_high)}
#define IO_UP_TO(_low, _high)   .range = {IO_KEY_UP_TO, (_low), (_high)}
#define IO_BETWEEN(_low, _high) .range = {IO_KEY_BETWEEN, (_low), (_high)}

/* Three numbers: a point or direction in space, or a colour. */
#define IO_VECTOR(_structure, _member)                                                   \
    IO_KEY_NUMBER, IO_FIXED(_structure, _member.v, 3), .kind = "[x, y, z]"
#define IO_COLOR(_type, _structure, _member)                                             \
    _type, IO_FIXED(_structure, _member, 3), .range = {IO_KEY_COLOR, 0.0, 1.0},          \
                                             .kind = "colour"

/* NOLINTEND(bugprone-macro-parentheses) */

/* A word for no value, and the other values in words. */
#define IO_OR(_word, _instead) .absent = (_word), .instead = (_instead)

#endif
