/* Another person's program that renders through libkarman: consumer CONFIG PICTURE. */
#include <karman.h>
#include <locale.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    setlocale(LC_ALL, "");
    char frames[1024];
    if (argc != 3) {
        return 2;
    }
    snprintf(frames, sizeof frames, "output.frames=%s", argv[2]);
    const char *overrides[] = {frames, "data.steps=0"};
    karman_options options = {.noverrides = 2, .overrides = overrides, .quiet = true};
    int code = karman_render_config(MPI_COMM_WORLD, argv[1], &options);
    if (code != KARMAN_DONE) {
        fprintf(stderr, "%s\n", karman_message());
    }
    MPI_Finalize();
    return code;
}
