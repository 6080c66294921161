#include "transport.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool has_entry(const char *folder)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (const struct dirent *entry; list && !found && (entry = readdir(list));) {
        found = entry->d_name[0] != '.';
    }
    if (list) {
        closedir(list);
    }
    return found;
}

void parallel_set_transport(const char *cards)
{
    if (!has_entry(cards)) {
        setenv("UCX_RNDV_THRESH", "1m", 0);
    }
}

/* Beginnings of variables by which launchers tell a process its rank: Hydra, PMIx, Slurm,
 * Open MPI, PALS, ALPS, Flux, JSM, and Intel's. */
static const char *const launchers[] = {"PMI",          "HYDI_", "HYDRA_", "MPI_",
                                        "SLURM_PROCID", "OMPI_", "PRTE_",  "PALS_",
                                        "ALPS_",        "FLUX_", "JSM_",   "I_MPI_"};

typedef struct variable {
    const char *name, *value;
    bool is_ours;
} variable;

static variable of_one_process[] = {{"UCX_TLS", "self", false},
                                    {"HWLOC_COMPONENTS", "-linuxio,-pci", false},
                                    {"HWLOC_PLUGINS_PATH", "/dev/null", false}};

enum {
    LAUNCHERS = sizeof launchers / sizeof launchers[0],
    OF_ONE_PROCESS = sizeof of_one_process / sizeof of_one_process[0]
};

bool parallel_start_alone(char *const *environment)
{
    for (char *const *entry = environment; *entry; entry++) {
        for (int n = 0; n < LAUNCHERS; n++) {
            if (strncmp(*entry, launchers[n], strlen(launchers[n])) == 0) {
                return false;
            }
        }
    }
    for (int n = 0; n < OF_ONE_PROCESS; n++) {
        variable *v = &of_one_process[n];
        v->is_ours = !getenv(v->name) && setenv(v->name, v->value, 0) == 0;
    }
    return true;
}

void parallel_forget_alone(void)
{
    for (int n = 0; n < OF_ONE_PROCESS; n++) {
        if (of_one_process[n].is_ours) {
            unsetenv(of_one_process[n].name);
            of_one_process[n].is_ours = false;
        }
    }
}
