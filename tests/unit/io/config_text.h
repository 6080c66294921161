/* A config for tests to change, and how to parse it. */
#ifndef TESTS_UNIT_IO_CONFIG_TEXT_H
#define TESTS_UNIT_IO_CONFIG_TEXT_H

#include "io/config/config.h"

#include <stddef.h>

/* A good config. Messages count its lines: data is line 1, image 3, camera 4, layers 7,
 * range 10, output 12. */
static const char good_text[] = "data:\n"
                                "  file: wake.h5\n"
                                "image: {width: 640, height: 480}\n"
                                "camera:\n"
                                "  position: [0, -8, 3]\n"
                                "  look_at: [2, 0, 0]\n"
                                "layers:\n"
                                "  - volume:\n"
                                "      field: pressure\n"
                                "      range: [0, 2]\n"
                                "      opacity: [[0, 0], [1, 0.8]]\n"
                                "output:\n"
                                "  frames: out/wake_%04d.png\n";

/* good_text with the first `from` replaced by `to`; malloc'ed. Fails the test where there
 * is no `from`. */
char *config_text_replace(const char *from, const char *to);

/* Parses `text` as wake.yaml in the folder "runs" with overrides ([noverrides]). */
status config_text_parse(const char *text, int noverrides, const char *const *overrides,
                         io_config **out);

/* The config of `text`; fails the test with the message where it is refused. */
io_config *config_text_accept(const char *text, int noverrides,
                              const char *const *overrides);

/* 1 and a report about the case `what` where the status is not `expected`, or the message
 * is no sentence with `fragment` in it; else 0. So tables report all of their rows. */
int config_text_differs(const char *what, status result, status expected,
                        const char *fragment);

/* Parses a text that must be refused with STATUS_USAGE and a message with `fragment` in
 * it; how much of that is wrong. */
int config_text_refuse(const char *what, const char *text, int noverrides,
                       const char *const *overrides, const char *fragment);

/* A change of the good config, and the text that the message about it must hold. */
typedef struct config_text_change {
    const char *from, *to;
    const char *message;
} config_text_change;

/* Fails the test unless all changes ([count]) are refused; reports all that are not. */
void config_text_refuse_changes(size_t count, const config_text_change *changes);

#define CONFIG_TEXT_REFUSE(changes)                                                      \
    config_text_refuse_changes(sizeof(changes) / sizeof((changes)[0]), (changes))

#endif
