/* karman integrate FILE: integrals over volumes, planes, faces and walls. */
#include "app/cmd.h"
#include "app/integrate/integrate.h"
#include "frame/integrals/indices.h"
#include "numbers.h"

enum {
    OPTION_ABOUT = 256,
    OPTION_BLOCK,
    OPTION_CONDUCTIVITY,
    OPTION_FACES,
    OPTION_FLUX,
    OPTION_FORCE,
    OPTION_MASS_FLOW,
    OPTION_PLANE,
    OPTION_PRESSURE,
    OPTION_TEMPERATURE,
    OPTION_VISCOSITY,
    OPTION_VOLUME,
    OPTION_WALL,
    OPTION_WALLS
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "Over what; each may be given again, and is a row:", 1},
    {"volume", OPTION_VOLUME, NULL, 0, "All cells; so it is without any other place", 1},
    {"block", OPTION_BLOCK, "NAME", 0, "The cells of this block", 1},
    {"plane", OPTION_PLANE, "AXIS=PLACE", 0,
     "A plane, x=2, or with a normal and a point: 1,1,0:0.5,0,0. Normals are those given",
     1},
    {"faces", OPTION_FACES, "BLOCK:I,J,K", 0,
     "Faces of a block, by indices from 0, ranges a:b or ':'; -1 is the last: "
     "wing:-1,:,0:9. Normals go to the rising index",
     1},
    {"wall", OPTION_WALL, "NAME", 0,
     "A wall by its family, or the name or type of its boundary condition, or by "
     "BLOCK:I,J,K. Normals go out of the fluid",
     1},
    {"walls", OPTION_WALLS, NULL, 0, "All walls of the data together", 1},
    {NULL, 0, NULL, 0, "Quantities:", 2},
    NUMBERS_OPTIONS("Integrals and means of these fields, in the file or derived, or of "
                    "expressions; with commas between them. Without any other quantity, "
                    "of all in the file"),
    {"flux", OPTION_FLUX, "NAMES", 0,
     "Integrals of these fields times the velocity along the normal", 2},
    {"mass-flow", OPTION_MASS_FLOW, NULL, 0,
     "The flux of density, and means of --fields weighted by it", 2},
    {"force", OPTION_FORCE, NULL, 0, "The force of the fluid on walls, by pressure", 2},
    {"pressure", OPTION_PRESSURE, "FIELD", 0,
     "Its pressure: 'pressure - 101325'; 'pressure' otherwise", 2},
    {"viscosity", OPTION_VISCOSITY, "FIELD", 0,
     "And by friction, with this dynamic viscosity, a number or an expression", 2},
    {"about", OPTION_ABOUT, "X,Y,Z", 0, "And its moment about this point", 2},
    {"conductivity", OPTION_CONDUCTIVITY, "FIELD", 0,
     "The heat that flows along normals, with this thermal conductivity", 2},
    {"temperature", OPTION_TEMPERATURE, "FIELD", 0, "'temperature' otherwise", 2},
    {0},
};

typedef struct integrate_arguments {
    numbers_arguments numbers;
    app_integrate_request request;
    const char *about;
} integrate_arguments;

static status add_place(void *into, const app_place *place, const char *text)
{
    static const frame_integrals_kind kinds[] = {
        [OPTION_VOLUME - 256] = FRAME_INTEGRALS_ALL,
        [OPTION_BLOCK - 256] = FRAME_INTEGRALS_BLOCK,
        [OPTION_PLANE - 256] = FRAME_INTEGRALS_PLANE,
        [OPTION_FACES - 256] = FRAME_INTEGRALS_FACES,
        [OPTION_WALL - 256] = FRAME_INTEGRALS_WALL,
        [OPTION_WALLS - 256] = FRAME_INTEGRALS_WALLS};
    app_integrate_request *r = &((integrate_arguments *)into)->request;
    if (r->nplaces == APP_INTEGRATE_PLACES) {
        return base_fail(STATUS_USAGE, "more than %d places are given",
                         (int)APP_INTEGRATE_PLACES);
    }
    r->places[r->nplaces++] = (frame_integrals_place){kinds[place->key - 256], text};
    return STATUS_OK;
}

#define AT(member) .offset = offsetof(integrate_arguments, member)

static const app_place places[] = {
    {OPTION_VOLUME, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_BLOCK, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_PLANE, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_FACES, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_WALL, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_WALLS, APP_KEEP_BY_CALL, .take = add_place},
    {OPTION_FLUX, APP_KEEP_TEXT, AT(request.wish.flux)},
    {OPTION_MASS_FLOW, APP_KEEP_FLAG, AT(request.wish.mass_flow)},
    {OPTION_FORCE, APP_KEEP_FLAG, AT(request.wish.force)},
    {OPTION_PRESSURE, APP_KEEP_TEXT, AT(request.wish.pressure)},
    {OPTION_VISCOSITY, APP_KEEP_TEXT, AT(request.wish.viscosity)},
    {OPTION_ABOUT, APP_KEEP_TEXT, AT(about)},
    {OPTION_CONDUCTIVITY, APP_KEEP_TEXT, AT(request.wish.conductivity)},
    {OPTION_TEMPERATURE, APP_KEEP_TEXT, AT(request.wish.temperature)},
    NUMBERS_PLACES("integrate"),
    {0},
};

const struct argp cmd_integrate_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "CONFIG|FILE",
    .doc = "Prints integrals over volumes, planes, faces and walls, as CSV, on all ranks "
           "of mpiexec: volumes, areas, integrals and means of fields, mass flows, "
           "forces and moments, heat flows."
           "\vForces are those of the fluid on the wall, p n - tau n with n out of the "
           "fluid; heat flows along n. Blanked cells do not count, copies (data.copies) "
           "neither. Coordinates are those of the data; two-dimensional grids are one "
           "unit deep.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
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
    integrate_arguments a = {.numbers.common.places = places};
    status s = app_arguments_read(&cmd_integrate_argp, argc, argv, &a.numbers.common);
    s = s == STATUS_OK ? check(&a) : s;
    return numbers_run(comm, &a.numbers, s, integrate);
}
