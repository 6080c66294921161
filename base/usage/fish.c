/* Completion for fish: share/fish/vendor_completions.d/NAME.fish. */
#include "shells.h"

/* Prints " -d 'help'". */
static void print_help(const char *text, FILE *stream)
{
    char beginning[256];
    usage_short(text, sizeof beginning, beginning);
    fputs(" -d '", stream);
    usage_escape(beginning, "'\\", "\\", stream);
    fputc('\'', stream);
}

/* Prints " -a 'words (function)'". Only functions offer configs and data files. */
static void print_value(const usage_value *value, FILE *stream)
{
    const unsigned kinds = value->kinds;
    const unsigned files = USAGE_CONFIGS | USAGE_DATA | USAGE_FILES;
    if ((kinds & USAGE_FILES) != 0) {
        fputs(" -F", stream);
    }
    fputs(" -a '", stream);
    fputs(value->words, stream);
    if ((kinds & USAGE_CONFIGS) != 0) {
        fputs(" (__fish_complete_suffix .yaml) (__fish_complete_suffix .yml)", stream);
    }
    if ((kinds & USAGE_DATA) != 0) {
        fputs(" (__fish_complete_suffix .h5) (__fish_complete_suffix .hdf5)", stream);
    }
    if ((kinds & USAGE_FOLDERS) != 0 && (kinds & files) == 0) {
        fputs(" (__fish_complete_directories)", stream);
    }
    fputc('\'', stream);
}

static void print_option(const char *start, const struct argp_option *option,
                         const usage_words *words, FILE *stream)
{
    const char letter = usage_option_letter(option);
    fprintf(stream, "%s -l %s", start, option->name);
    if (letter != '\0') {
        fprintf(stream, " -s '%c'", letter);
    }
    print_help(option->doc, stream);
    if (option->arg) {
        usage_value value;
        usage_value_of_option(option, words, &value);
        fputs(" -r", stream);
        print_value(&value, stream);
    }
    fputc('\n', stream);
}

static void print_options(const char *start, const struct argp *argp,
                          const usage_words *words, FILE *stream)
{
    for (const struct argp_option *option = usage_option_next(argp, NULL); option;
         option = usage_option_next(argp, option)) {
        if (!usage_option_is_heading(option)) {
            print_option(start, option, words, stream);
        }
    }
}

void usage_fish_print(const usage_program *program, const usage_words *words,
                      FILE *stream)
{
    const char *name = program->name;
    char start[256];
    fprintf(stream, "# Printed by '%s completion fish'.\ncomplete -c %s -f\n", name,
            name);
    snprintf(start, sizeof start, "complete -c %s -n __fish_use_subcommand", name);
    print_options(start, program->argp, words, stream);
    for (int c = 0; c < program->ncommands; c++) {
        fprintf(stream, "%s -a %s", start, program->commands[c].name);
        print_help(program->commands[c].summary, stream);
        fputc('\n', stream);
    }
    for (int c = 0; c < program->ncommands; c++) {
        const usage_command *command = &program->commands[c];
        usage_value value;
        snprintf(start, sizeof start,
                 "complete -c %s -n '__fish_seen_subcommand_from %s'", name,
                 command->name);
        print_options(start, command->argp, words, stream);
        usage_value_of_arguments(command->argp, words, &value);
        fputs(start, stream);
        print_value(&value, stream);
        fputc('\n', stream);
    }
}
