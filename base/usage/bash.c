/* Completion for bash: share/bash-completion/completions/NAME. */
#include "shells.h"

#include <string.h>

/* '@' is the name of the program. Any typed index of a list in a key is completed as 0,
 * the index in the words. */
static const char functions[] =
    "# Completion of @'s command line in bash, printed by '@ completion bash'.\n"
    "_@_words()\n"
    "{\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- "
    "\"$cur\")\n"
    "}\n"
    "_@_folders()\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -d -- \"$cur\")\n"
    "}\n"
    "_@_files()\n"
    "{\n"
    "    local pattern\n"
    "    for pattern in \"$@\"; do\n"
    "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < \\\n"
    "            <(compgen -f -X \"!$pattern\" -- \"$cur\")\n"
    "    done\n"
    "    _@_folders\n"
    "}\n"
    "_@_keys()\n"
    "{\n"
    "    local key typed\n"
    "    typed=$(sed -E 's/\\.[0-9]+(\\.|$)/.0\\1/g' <<<\"$cur\")\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    for key in $(compgen -W \"$1\" -- \"$typed\"); do\n"
    "        COMPREPLY+=(\"$cur${key:${#typed}}\")\n"
    "    done\n"
    "}\n"
    "_@()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    COMPREPLY=()\n"
    "    # bash takes --option=value for three words.\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $option == = ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
    "        ";

/* Prints text with '@' replaced by the program's name, except in bash's own "$@" and
 * "[@]". */
static void print_named(const char *text, const char *name, FILE *stream)
{
    for (const char *at = text; *at != '\0'; at++) {
        const int is_bash = *at == '@' && at > text && (at[-1] == '[' || at[-1] == '$');
        if (*at == '@' && !is_bash) {
            fputs(name, stream);
        } else {
            fputc(*at, stream);
        }
    }
}

/* Prints calls of the functions that complete a value. */
static void print_value(const char *name, const usage_value *value, FILE *stream)
{
    const unsigned kinds = value->kinds;
    if (value->words[0] != '\0') {
        fprintf(stream, "_%s_%s '%s'; ", name,
                (kinds & USAGE_KEYS) != 0 ? "keys" : "words", value->words);
    }
    if ((kinds & (USAGE_CONFIGS | USAGE_DATA | USAGE_FILES)) != 0) {
        fprintf(stream, "_%s_files%s%s%s; ", name,
                (kinds & USAGE_CONFIGS) != 0 ? " '*.yaml' '*.yml'" : "",
                (kinds & USAGE_DATA) != 0 ? " '*.h5' '*.hdf5'" : "",
                (kinds & USAGE_FILES) != 0 ? " '*'" : "");
    } else if ((kinds & USAGE_FOLDERS) != 0) {
        fprintf(stream, "_%s_folders; ", name);
    }
}

/* Prints all options, " --set --threads". */
static void print_names(const struct argp *argp, FILE *stream)
{
    for (const struct argp_option *option = usage_option_next(argp, NULL); option;
         option = usage_option_next(argp, option)) {
        if (!usage_option_is_heading(option)) {
            fprintf(stream, " --%s", option->name);
        }
    }
}

/* Prints a line for each option with an argument: the calls that complete it. */
static void print_option_values(const char *name, const usage_command *command,
                                const usage_words *words, FILE *stream)
{
    for (const struct argp_option *option = usage_option_next(command->argp, NULL);
         option; option = usage_option_next(command->argp, option)) {
        if (!option->arg) {
            continue;
        }
        const char letter = usage_option_letter(option);
        usage_value value;
        usage_value_of_option(option, words, &value);
        fprintf(stream, "        '%s --%s'", command->name, option->name);
        if (letter != '\0') {
            fprintf(stream, " | '%s -%c'", command->name, letter);
        }
        fputs(") ", stream);
        print_value(name, &value, stream);
        fputs("return ;;\n", stream);
    }
}

void usage_bash_print(const usage_program *program, const usage_words *words,
                      FILE *stream)
{
    const char *name = program->name;
    print_named(functions, name, stream);
    fprintf(stream, "_%s_words '", name);
    for (int c = 0; c < program->ncommands; c++) {
        fprintf(stream, "%s ", program->commands[c].name);
    }
    print_names(program->argp, stream);
    fputs("'\n        return\n    fi\n    case \"${COMP_WORDS[1]} $option\" in\n",
          stream);
    for (int c = 0; c < program->ncommands; c++) {
        print_option_values(name, &program->commands[c], words, stream);
    }
    fputs("    esac\n    case \"${COMP_WORDS[1]} $cur\" in\n", stream);
    for (int c = 0; c < program->ncommands; c++) {
        usage_value value;
        const usage_command *command = &program->commands[c];
        usage_value_of_arguments(command->argp, words, &value);
        fprintf(stream, "        '%s -'*) _%s_words '", command->name, name);
        print_names(command->argp, stream);
        fprintf(stream, "' ;;\n        '%s '*) ", command->name);
        print_value(name, &value, stream);
        fputs(";;\n", stream);
    }
    fprintf(stream, "    esac\n}\ncomplete -F _%s %s\n", name, name);
}
