/* Completion for zsh: share/zsh/site-functions/_NAME. */
#include "shells.h"

/* Prints help, escaped for single quotes and brackets of _arguments. */
static void print_help(const char *text, FILE *stream)
{
    char beginning[256];
    usage_short(text, sizeof beginning, beginning);
    for (const char *at = beginning; *at != '\0'; at++) {
        const char letter[] = {*at, '\0'};
        if (*at == '\'') {
            fputs("'\\''", stream);
        } else {
            usage_escape(letter, "[]:\\", "\\", stream);
        }
    }
}

/* Prints ":name:action" for _arguments. */
static void print_value(const char *name, const usage_value *value, FILE *stream)
{
    const unsigned kinds = value->kinds;
    const int has_names = (kinds & (USAGE_CONFIGS | USAGE_DATA)) != 0;
    fprintf(stream, ":%s:", name);
    if ((kinds & USAGE_KEYS) != 0) {
        fputs("{compadd -S \"\" -- ${=keys}}", stream);
    } else if (value->words[0] != '\0' && kinds == 0) {
        fprintf(stream, "(%s)", value->words);
    } else {
        fputs("{", stream);
        if (value->words[0] != '\0') {
            fprintf(stream, "compadd -- %s; ", value->words);
        }
        if (has_names) {
            fprintf(stream, "_files -g \"*.(%s%s)\"; ",
                    (kinds & USAGE_CONFIGS) != 0 ? "yaml|yml" : "",
                    (kinds & USAGE_DATA) != 0 ? "|h5|hdf5" : "");
        }
        if ((kinds & USAGE_FILES) != 0) {
            fputs("_files; ", stream);
        } else if (!has_names && (kinds & USAGE_FOLDERS) != 0) {
            fputs("_files -/; ", stream);
        }
        fputs(":}", stream);
    }
}

static void print_option(const struct argp_option *option, const usage_words *words,
                         FILE *stream)
{
    const char letter = usage_option_letter(option);
    fputs(" \\\n                ", stream);
    if (letter != '\0') {
        fprintf(stream, "'*'{-%s%c,--%s%s}'[", letter == '?' ? "\\" : "", letter,
                option->name, option->arg ? "=" : "");
    } else {
        fprintf(stream, "'*--%s%s[", option->name, option->arg ? "=" : "");
    }
    print_help(option->doc, stream);
    fputc(']', stream);
    if (option->arg) {
        usage_value value;
        usage_value_of_option(option, words, &value);
        print_value(option->arg, &value, stream);
    }
    fputc('\'', stream);
}

static void print_command(const usage_command *command, const usage_words *words,
                          FILE *stream)
{
    usage_value value;
    fprintf(stream, "        %s)\n            _arguments -s", command->name);
    for (const struct argp_option *option = usage_option_next(command->argp, NULL);
         option; option = usage_option_next(command->argp, option)) {
        if (!usage_option_is_heading(option)) {
            print_option(option, words, stream);
        }
    }
    usage_value_of_arguments(command->argp, words, &value);
    fputs(" \\\n                '*", stream);
    print_value("argument", &value, stream);
    fputs("' ;;\n", stream);
}

/* A variable contains the words of KEY=VALUE, since several options take them. */
static void print_keys(const usage_words *words, FILE *stream)
{
    usage_value value;
    const struct argp_option option = {.name = "set", .arg = "KEY=VALUE"};
    usage_value_of_option(&option, words, &value);
    fprintf(stream, "    local keys='%s'\n", value.words);
}

void usage_zsh_print(const usage_program *program, const usage_words *words, FILE *stream)
{
    fprintf(stream, "#compdef %s\n# Printed by '%s completion zsh'.\n_%s()\n{\n",
            program->name, program->name, program->name);
    print_keys(words, stream);
    fputs("    local -a commands=(", stream);
    for (int c = 0; c < program->ncommands; c++) {
        fprintf(stream, "\n        '%s:", program->commands[c].name);
        print_help(program->commands[c].summary, stream);
        fputc('\'', stream);
    }
    fputs("\n    )\n    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n        compadd --",
          stream);
    for (const struct argp_option *option = usage_option_next(program->argp, NULL);
         option; option = usage_option_next(program->argp, option)) {
        fprintf(stream, " --%s", option->name);
    }
    fputs("\n        return\n    fi\n    shift words\n    (( CURRENT-- ))\n"
          "    case $words[1] in\n",
          stream);
    for (int c = 0; c < program->ncommands; c++) {
        print_command(&program->commands[c], words, stream);
    }
    fprintf(stream,
            "    esac\n}\n"
            "if [[ $funcstack[1] == _%s ]]; then _%s \"$@\"; else compdef _%s %s; fi\n",
            program->name, program->name, program->name, program->name);
}
