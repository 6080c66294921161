/*
 * A program that starts MPI by itself, then opens a session of libkarman:
 *
 *   insitu_host single|funneled RUN_FOLDER
 */
#include "library/karman.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int level = argc > 1 && strcmp(argv[1], "single") == 0 ? MPI_THREAD_SINGLE
                                                           : MPI_THREAD_FUNNELED;
    int provided;
    char config[1024];
    karman_session *session = NULL;
    MPI_Init_thread(&argc, &argv, level, &provided);
    snprintf(config, sizeof config,
             "camera: {position: [9, -9, 7], look_at: [3, 0, 2]}\n"
             "layers: [{outline: {}}]\n"
             "in_situ: {run: %s, pictures: [{name: all}]}\n",
             argc > 2 ? argv[2] : "run");
    int code = karman_open_text(MPI_COMM_WORLD, config, NULL, &session);
    if (code != KARMAN_DONE) {
        fprintf(stderr, "insitu_host: %s\n", karman_message());
    }
    karman_close(&session);
    MPI_Finalize();
    return code;
}
