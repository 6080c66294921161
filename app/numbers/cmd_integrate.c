/* karman integrate FILE: integrals over volumes, planes, faces and walls. */
#include "app/cmd.h"
#include "app/integrate/integrate.h"
#include "frame/integrals/indices.h"
#include "numbers.h"

typedef struct integrate_arguments {
    numbers_arguments numbers;
    app_integrate_request request;
    const char *about;
} integrate_arguments;

/* Adds a place of the kind `least`. */
static status add_place(void *into, const app_option *option, const char *text)
{
    app_integrate_request *r = into;
    if (r->nplaces == APP_INTEGRATE_PLACES) {
        return base_fail(STATUS_USAGE, "more than %d places are given",
                         (int)APP_INTEGRATE_PLACES);
    }
    r->places[r->nplaces++] =
        (frame_integrals_place){(frame_integrals_kind)option->least, text};
    return STATUS_OK;
}

#define AT(member) APP_AT(integrate_arguments, member)
#define PLACE(kind)                                                                      \
    APP_BY_CALL, APP_AT(integrate_arguments, request), .least = (kind), .take = add_place

static const app_option rows[] = {
    {.help = "Over what; each may be given again, and is a row:"},
    {"volume", 0, NULL, "All cells; so it is without any other place",
     PLACE(FRAME_INTEGRALS_ALL)},
    {"block", 0, "NAME", "The cells of this block", PLACE(FRAME_INTEGRALS_BLOCK)},
    {"plane", 0, "AXIS=PLACE",
     "A plane, x=2, or with a normal and a point: 1,1,0:0.5,0,0. Normals are those given",
     PLACE(FRAME_INTEGRALS_PLANE)},
    {"faces", 0, "BLOCK:I,J,K",
     "Faces of a block, by indices from 0, ranges a:b or ':'; -1 is the last: "
     "wing:-1,:,0:9. Normals go to the rising index",
     PLACE(FRAME_INTEGRALS_FACES)},
    {"wall", 0, "NAME",
     "A wall by its family, or the name or type of its boundary condition, or by "
     "BLOCK:I,J,K. Normals go out of the fluid",
     PLACE(FRAME_INTEGRALS_WALL)},
    {"walls", 0, NULL, "All walls of the data together", PLACE(FRAME_INTEGRALS_WALLS)},
    {.help = "Quantities:"},
    NUMBERS_OPTIONS(
        "Integrals and means of these fields, in the file or derived, or of expressions; "
        "with commas between them. Without any other quantity, of all in the file"),
    {"flux", 0, "NAMES", "Integrals of these fields times the velocity along the normal",
     APP_TEXT, AT(request.wish.flux)},
    {"mass-flow", 0, NULL, "The flux of density, and means of --fields weighted by it",
     APP_FLAG, AT(request.wish.mass_flow)},
    {"force", 0, NULL, "The force of the fluid on walls, by pressure", APP_FLAG,
     AT(request.wish.force)},
    {"pressure", 0, "FIELD", "Its pressure: 'pressure - 101325'; 'pressure' otherwise",
     APP_TEXT, AT(request.wish.pressure)},
    {"viscosity", 0, "FIELD",
     "And by friction, with this dynamic viscosity, a number or an expression", APP_TEXT,
     AT(request.wish.viscosity)},
    {"about", 0, "X,Y,Z", "And its moment about this point", APP_TEXT, AT(about)},
    {"conductivity", 0, "FIELD",
     "The heat that flows along normals, with this thermal conductivity", APP_TEXT,
     AT(request.wish.conductivity)},
    {"temperature", 0, "FIELD", "'temperature' otherwise", APP_TEXT,
     AT(request.wish.temperature)},
    NUMBERS_FILE("integrate"),
    {0},
};

const app_line cmd_integrate_line = {
    .options = rows,
    .arguments = "CONFIG|FILE",
    .doc = "Prints integrals over volumes, planes, faces and walls, as CSV, on all ranks "
           "of mpiexec: volumes, areas, integrals and means of fields, mass flows, "
           "forces and moments, heat flows.\vForces are those of the fluid on the wall, "
           "p n - tau n with n out of the fluid; heat flows along n. Blanked cells do "
           "not count, copies (data.copies) neither. Coordinates are those of the data; "
           "two-dimensional grids are one unit deep.\nExit status: 0 done, 1 failed at "
           "run time, 2 wrong usage or config.",
};

/* numbers_work */
static status integrate(MPI_Comm comm, void *arguments, io_config *config)
{
    integrate_arguments *a = arguments;
    a->request.wish.fields = a->numbers.fields;
    a->request.output = a->numbers.output;
    const status s =
        app_form_find(a->numbers.output, a->numbers.is_json, &a->request.form);
    return s == STATUS_OK ? app_integrate(comm, &a->request, config) : s;
}

/* Quantities of surfaces need one; others imply --force. */
static status check(integrate_arguments *a)
{
    app_integrate_request *r = &a->request;
    frame_integrals_wish *w = &r->wish;
    bool has_surface = false;
    if (r->nplaces == 0) {
        r->places[r->nplaces++] = (frame_integrals_place){FRAME_INTEGRALS_ALL, NULL};
    }
    for (int n = 0; n < r->nplaces; n++) {
        has_surface = has_surface || r->places[n].kind >= FRAME_INTEGRALS_PLANE;
    }
    w->moment = a->about != NULL;
    w->force = w->force || w->viscosity || w->moment || w->pressure;
    w->pressure = w->pressure ? w->pressure : "pressure";
    w->temperature = w->temperature ? w->temperature : "temperature";
    const bool others = w->force || w->flux || w->mass_flow || w->conductivity;
    w->all_fields = !others;
    if (!has_surface && others) {
        return base_fail(STATUS_USAGE, "forces and flows need a surface: --plane, "
                                       "--faces, --wall or --walls");
    }
    return w->moment ? frame_indices_read_point("about", a->about, r->about) : STATUS_OK;
}

status cmd_integrate(MPI_Comm comm, int argc, char **argv)
{
    integrate_arguments a = {0};
    status s = app_arguments_read(&cmd_integrate_line, argc, argv, &a.numbers.common);
    s = s == STATUS_OK ? check(&a) : s;
    return numbers_run(comm, &a.numbers, s, integrate);
}
