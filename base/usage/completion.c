#include "completion.h"

#include "base/words.h"
#include "shells.h"

#include <string.h>

static const struct {
    const char *name;
    void (*print)(const usage_program *program, const usage_words *words, FILE *stream);
} shells[] = {
    {"bash", usage_bash_print},
    {"zsh", usage_zsh_print},
    {"fish", usage_fish_print},
};
enum { SHELLS = sizeof shells / sizeof shells[0] };

status usage_completion_print(const usage_program *program, const usage_words *words,
                              const char *shell, FILE *stream)
{
    const char *names[SHELLS];
    char known[64];
    for (int s = 0; s < SHELLS; s++) {
        if (strcmp(shell, shells[s].name) == 0) {
            shells[s].print(program, words, stream);
            return STATUS_OK;
        }
        names[s] = shells[s].name;
    }
    base_words_list(SHELLS, names, sizeof known, known);
    return base_fail(STATUS_USAGE, "there is no completion for '%s': give one of %s",
                     shell, known);
}
