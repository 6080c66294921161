#include "manual.h"

#include "options.h"
#include "roff.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *usage_manual_folder(int argc, char **argv)
{
    return argc == 3 && strcmp(argv[1], "--man") == 0 ? argv[2] : NULL;
}

status usage_manual_open(const char *folder, const char *name, int section, FILE **out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.%d", folder, name, section);
    *out = fopen(path, "w");
    return *out ? STATUS_OK
                : base_fail(STATUS_OUTPUT, "%s cannot be written: %s", path,
                            strerror(errno));
}

status usage_manual_close(const char *name, FILE **page)
{
    const int failed = ferror(*page), code = fclose(*page);
    *page = NULL;
    return failed == 0 && code == 0
               ? STATUS_OK
               : base_fail(STATUS_OUTPUT, "the page %s cannot be written", name);
}

/* ---- The parts of a page ---- */

static void print_name(const char *name, const char *summary, FILE *page)
{
    usage_roff_title(name, 1, page);
    fputs(".SH NAME\n", page);
    usage_roff_text(name, 1, page);
    fputs(" \\- ", page);
    usage_roff_text(summary, 0, page);
    fputs("\n.SH SYNOPSIS\n", page);
}

/* Prints one line for each line of args_doc. */
static void print_synopsis(const char *call, const char *arguments, FILE *page)
{
    const char *text = arguments ? arguments : "";
    do {
        char line[256];
        const int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        text += length + (text[length] == '\n');
        fputs("\\fB", page);
        usage_roff_text(call, 0, page);
        fputs("\\fR [\\fIOPTION\\fR...] ", page);
        usage_roff_text(line, 0, page);
        fputs(*text != '\0' ? "\n.br\n" : "\n", page);
    } while (*text != '\0');
}

static void print_option(const struct argp_option *option, FILE *page)
{
    const char letter = usage_option_letter(option);
    fputs(".TP\n", page);
    if (letter != '\0') {
        const char text[] = {letter, '\0'};
        fputs("\\fB\\-", page);
        usage_roff_text(text, 0, page);
        fputs("\\fR, ", page);
    }
    fputs("\\fB\\-\\-", page);
    usage_roff_text(option->name, 0, page);
    fputs("\\fR", page);
    if (option->arg) {
        fputs("=\\fI", page);
        usage_roff_text(option->arg, 0, page);
        fputs("\\fR", page);
    }
    fputc('\n', page);
    usage_roff_text(option->doc ? option->doc : "", 1, page);
    fputc('\n', page);
}

static void print_options(const struct argp *argp, FILE *page)
{
    const struct argp_option *option = usage_option_next(argp, NULL);
    fputs(option ? ".SH OPTIONS\n" : "", page);
    for (; option; option = usage_option_next(argp, option)) {
        if (usage_option_is_heading(option)) {
            fputs(".SS ", page);
            usage_roff_text(option->doc, 0, page);
            fputc('\n', page);
        } else {
            print_option(option, page);
        }
    }
}

/* The text before the options, or after them. malloc'ed; NULL: none. */
static char *copy_doc(const struct argp *argp, bool is_behind)
{
    const char *doc = argp->doc ? argp->doc : "";
    const char *middle = strchr(doc, '\v');
    char *text = is_behind ? strdup(middle ? middle + 1 : "")
                           : strndup(doc, middle ? (size_t)(middle - doc) : strlen(doc));
    const int key = is_behind ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC;
    char *changed = text && argp->help_filter ? argp->help_filter(key, text, NULL) : text;
    if (changed != text) {
        free(text);
    }
    return changed;
}

/* Prints the text after the options: notes, and the exit status, which ends it. */
static void print_notes(const struct argp *argp, FILE *page)
{
    static const char word[] = "Exit status: ";
    char *text = copy_doc(argp, true);
    char *exit_status = text ? strstr(text, word) : NULL;
    if (exit_status) {
        *exit_status = '\0';
    }
    if (text && text[0] != '\0') {
        fputs(".SH NOTES\n", page);
        usage_roff_paragraphs(text, page);
    }
    if (exit_status) {
        fputs(".SH EXIT STATUS\n", page);
        usage_roff_paragraphs(exit_status + sizeof word - 1, page);
    }
    free(text);
}

static void print_doc(const struct argp *argp, FILE *page)
{
    char *text = copy_doc(argp, false);
    fputs(".SH DESCRIPTION\n", page);
    usage_roff_paragraphs(text ? text : "", page);
    free(text);
}

/* ---- Pages ---- */

static status write_command(const usage_program *program, const usage_command *command,
                            const char *folder)
{
    char name[128], call[128];
    FILE *page;
    snprintf(name, sizeof name, "%s-%s", program->name, command->name);
    snprintf(call, sizeof call, "%s %s", program->name, command->name);
    status s = usage_manual_open(folder, name, 1, &page);
    if (s != STATUS_OK) {
        return s;
    }
    print_name(name, command->summary, page);
    print_synopsis(call, command->argp->args_doc, page);
    print_doc(command->argp, page);
    print_options(command->argp, page);
    print_notes(command->argp, page);
    fputs(".SH SEE ALSO\n", page);
    fputs("\\fB", page);
    usage_roff_text(program->name, 0, page);
    fputs("\\fR(1),\n", page);
    usage_roff_pages(program->see_also, page);
    return usage_manual_close(name, &page);
}

static void print_commands(const usage_program *program, FILE *page)
{
    fputs(program->ncommands > 0 ? ".SH COMMANDS\n" : "", page);
    for (int c = 0; c < program->ncommands; c++) {
        fputs(".TP\n\\fB", page);
        usage_roff_text(program->commands[c].name, 0, page);
        fputs("\\fR\n", page);
        usage_roff_text(program->commands[c].summary, 1, page);
        fputc('\n', page);
    }
}

static void print_see_also(const usage_program *program, FILE *page)
{
    fputs(".SH SEE ALSO\n", page);
    for (int c = 0; c < program->ncommands; c++) {
        fputs("\\fB", page);
        usage_roff_text(program->name, 0, page);
        fputs("\\-", page);
        usage_roff_text(program->commands[c].name, 0, page);
        fputs("\\fR(1),\n", page);
    }
    usage_roff_pages(program->see_also, page);
}

status usage_manual_write(const usage_program *program, const char *folder)
{
    FILE *page;
    status s = usage_manual_open(folder, program->name, 1, &page);
    if (s != STATUS_OK) {
        return s;
    }
    print_name(program->name, program->summary, page);
    print_synopsis(program->name, program->argp->args_doc, page);
    print_doc(program->argp, page);
    print_commands(program, page);
    print_options(program->argp, page);
    print_notes(program->argp, page);
    print_see_also(program, page);
    s = usage_manual_close(program->name, &page);
    for (int c = 0; c < program->ncommands && s == STATUS_OK; c++) {
        s = write_command(program, &program->commands[c], folder);
    }
    return s;
}
