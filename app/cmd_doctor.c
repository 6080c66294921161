/* karman doctor: what a support person asks for. */
#include "app/doctor/doctor.h"
#include "arguments.h"
#include "cmd.h"

const app_line cmd_doctor_line = {
    .doc =
        "Prints what a support person asks for: the program and its libraries, the "
        "machine, ranks, memory, folders, limits and environment. Draws a small picture "
        "on all ranks, compares it with that of one rank, and names problems with their "
        "remedies. Start it as you start karman render: 'mpiexec -n 4 karman "
        "doctor'.\vExit status: 0 no problems, 1 there are some, 2 wrong usage."};

status cmd_doctor(MPI_Comm comm, int argc, char **argv)
{
    app_arguments arguments = {0};
    status s = app_arguments_read(&cmd_doctor_line, argc, argv, &arguments);
    return s == STATUS_OK ? doctor_examine(comm, stdout) : s;
}
