#include "signature.h"

#include "base/version.h"
#include "io/json/json.h"

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Variables of UCX, libfabric, MPICH, Open MPI and Intel MPI. */
static const char *const variables[] = {
    "UCX_TLS",          "UCX_NET_DEVICES", "UCX_RNDV_THRESH", "FI_PROVIDER",
    "MPICH_CH4_NETMOD", "OMPI_MCA_pml",    "OMPI_MCA_btl",    "I_MPI_FABRICS"};

enum { VARIABLES = sizeof variables / sizeof variables[0] };

/* The text behind "model name : " of the first processor; false if there is none. */
static bool read_model(size_t size, char *model)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *at = strchr(line, ':');
        if (at && strncmp(line, "model name", 10) == 0) {
            snprintf(model, size, "%s", at + 1 + strspn(at + 1, " "));
            model[strcspn(model, "\n")] = '\0';
            found = true;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static void find_processor(size_t size, char *processor)
{
    struct utsname system;
    if (!read_model(size, processor)) {
        snprintf(processor, size, "%s", uname(&system) == 0 ? system.machine : "unknown");
    }
}

static void find_library(size_t size, char *mpi)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    /* MPICH writes "MPICH Version:\t4.0.2" and more lines. */
    text[strcspn(text, "\n")] = '\0';
    for (char *at = text; (at = strchr(at, '\t')) != NULL;) {
        *at = ' ';
    }
    snprintf(mpi, size, "%.*s", (int)size - 1, text);
}

static void find_transport(size_t size, char *transport)
{
    size_t used = 0;
    transport[0] = '\0';
    for (int n = 0; n < VARIABLES && used < size; n++) {
        const char *value = getenv(variables[n]);
        if (value) {
            used += (size_t)snprintf(transport + used, size - used, "%s%s=%s",
                                     used > 0 ? " " : "", variables[n], value);
        }
    }
}

void frame_signature_find(frame_signature *out)
{
    find_processor(sizeof out->processor, out->processor);
    find_library(sizeof out->mpi, out->mpi);
    find_transport(sizeof out->transport, out->transport);
    snprintf(out->version, sizeof out->version, "%s", base_version());
}

json_t *frame_signature_describe(const frame_signature *signature)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o}", "processor", io_json_text(signature->processor), "mpi",
        io_json_text(signature->mpi), "transport", io_json_text(signature->transport),
        "karman", io_json_text(signature->version));
}

static bool has_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

bool frame_signature_matches(const frame_signature *signature, const json_t *object)
{
    return has_text(object, "processor", signature->processor) &&
           has_text(object, "mpi", signature->mpi) &&
           has_text(object, "transport", signature->transport) &&
           has_text(object, "karman", signature->version);
}
