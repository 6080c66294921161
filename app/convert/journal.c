#include "journal.h"

#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4200 };

static FILE *open_journal(const char *output, const char *mode)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.part.log", output);
    return fopen(path, mode);
}

uint64_t convert_journal_sign(const convert_plan *plan, uint64_t hash)
{
    for (int64_t n = 0; n < plan->narrays; n++) {
        char path[CONVERT_PATH_SIZE] = "";
        convert_plan_path(plan, &plan->arrays[n], path);
        hash = base_hash_bytes(hash, path, strlen(path));
        hash = base_hash_bytes(hash, plan->arrays[n].n, sizeof plan->arrays[n].n);
        hash =
            base_hash_bytes(hash, &plan->arrays[n].offset, sizeof plan->arrays[n].offset);
    }
    return hash;
}

bool convert_journal_read(const char *output, uint64_t signature, int groups,
                          int64_t *done)
{
    FILE *file = open_journal(output, "r");
    uint64_t its = 0;
    int group;
    int64_t boxes;
    const bool is = file && fscanf(file, "%" SCNx64, &its) == 1 && its == signature;
    memset(done, 0, (size_t)groups * sizeof *done);
    while (is && fscanf(file, "%d %" SCNd64, &group, &boxes) == 2) {
        if (group >= 0 && group < groups) {
            done[group] = boxes;
        }
    }
    if (file) {
        fclose(file);
    }
    return is;
}

static status finish(const char *output, FILE *file, bool works)
{
    works = file && works;
    works = file && fclose(file) == 0 && works;
    return works ? STATUS_OK
                 : base_fail(STATUS_OUTPUT, "cannot write '%s.part.log': %s", output,
                             strerror(errno));
}

status convert_journal_begin(const char *output, uint64_t signature)
{
    FILE *file = open_journal(output, "w");
    return finish(output, file, file && fprintf(file, "%016" PRIx64 "\n", signature) > 0);
}

status convert_journal_add(const char *output, int group, int64_t boxes)
{
    FILE *file = open_journal(output, "a");
    return finish(output, file,
                  file && fprintf(file, "%d %" PRId64 "\n", group, boxes) > 0);
}

void convert_journal_remove(const char *output)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.part.log", output);
    unlink(path);
}
