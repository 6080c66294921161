/* Signatures: the machine and the programs for which a measurement holds. */
#ifndef FRAME_TUNING_SIGNATURE_H
#define FRAME_TUNING_SIGNATURE_H

#include <jansson.h>
#include <stdbool.h>

typedef struct frame_signature {
    char processor[128]; /* model */
    char mpi[256];       /* library, with its version */
    char transport[512]; /* variables that choose the way of messages, "UCX_TLS=tcp" */
    char version[64];    /* of karman */
} frame_signature;

/* The signature of this process. MPI is initialised. Local. */
void frame_signature_find(frame_signature *out);

/* A new reference; NULL without memory. Local. */
json_t *frame_signature_describe(const frame_signature *signature);

/* Whether a file's signature is the same in all parts. Local. */
bool frame_signature_matches(const frame_signature *signature, const json_t *object);

#endif
