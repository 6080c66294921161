/* Signatures: the machine and the programs for which a measurement holds. */
#ifndef FRAME_TUNING_SIGNATURE_H
#define FRAME_TUNING_SIGNATURE_H

#include <jansson.h>
#include <stdbool.h>

typedef struct app_signature {
    char processor[128]; /* model */
    char mpi[256];       /* library, with its version */
    char transport[512]; /* variables that choose the way of messages, "UCX_TLS=tcp" */
    char version[64];    /* of karman */
} app_signature;

/* The signature of this process. MPI is initialised. Local. */
void app_signature_find(app_signature *out);

/* A new reference; NULL without memory. Local. */
json_t *app_signature_describe(const app_signature *signature);

/* Whether a file's signature is the same in all parts. Local. */
bool app_signature_matches(const app_signature *signature, const json_t *object);

#endif
