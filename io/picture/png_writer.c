/*
 * The thread that writes pictures: a queue of two under one lock.
 *
 *     submit --> [ next | one more ] --> thread --> io_float_file_write,
 * io_png_write_strips
 *
 * A picture leaves the queue only after it is written, so the queue limits the memory of
 * all pictures.
 */
#include "png.h"

#include "io/file.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_LENGTH = 2 };

typedef struct job {
    io_png_file file; /* path and texts point to the two members below */
    char *path;
    io_png_text *texts; /* [file.ntexts], each with strings of its own */
    io_png_strips strips;
    io_float_file floats; /* zero if the picture has none */
    bool is_there;        /* its file is complete, and is only handed on */
} job;

struct io_png_writer {
    pthread_t thread;
    pthread_mutex_t lock;     /* guards everything below */
    pthread_cond_t changed;   /* the queue grew or shrank, or stopping was set */
    job *queue[QUEUE_LENGTH]; /* the oldest first */
    int waiting;
    bool stopping;
    status failure; /* the first one */
    io_png_take *take;
    void *context;
};

static void job_destroy(job *work)
{
    for (int t = 0; work->texts && t < work->file.ntexts; t++) {
        free((char *)work->texts[t].keyword);
        free((char *)work->texts[t].text);
    }
    free(work->texts);
    free(work->path);
    io_png_strips_clear(&work->strips);
    io_float_file_clear(&work->floats);
    free(work);
}

/* Copies the texts into the job; false without memory. */
static bool copy_texts(job *work, int ntexts, const io_png_text *texts)
{
    work->texts = calloc((size_t)ntexts + 1, sizeof *work->texts);
    bool copied = work->texts != NULL;
    for (int t = 0; copied && t < ntexts; t++) {
        work->texts[t].keyword = strdup(texts[t].keyword);
        work->texts[t].text = strdup(texts[t].text);
        work->file.ntexts = t + 1;
        copied = work->texts[t].keyword && work->texts[t].text;
    }
    return copied;
}

static status job_create(const io_png_file *file, io_png_strips *strips,
                         io_float_file *floats, job **out)
{
    job *work = calloc(1, sizeof *work);
    if (!work) {
        io_png_strips_clear(strips);
        io_float_file_clear(floats);
        return base_fail_memory(sizeof *work, "a picture");
    }
    work->strips = *strips;
    *strips = (io_png_strips){0};
    work->floats = *floats;
    *floats = (io_float_file){0};
    work->path = file->path ? strdup(file->path) : NULL;
    if ((file->path && !work->path) || !copy_texts(work, file->ntexts, file->texts)) {
        job_destroy(work);
        return base_fail_memory(0, "a picture's texts");
    }
    work->file = *file;
    work->file.path = work->path;
    work->file.texts = work->texts;
    *out = work;
    return STATUS_OK;
}

/* Removes the written job from the queue and records its result. The lock is held. */
static void retire_oldest(io_png_writer *writer, status result)
{
    job_destroy(writer->queue[0]);
    writer->waiting--;
    memmove(writer->queue, writer->queue + 1, (size_t)writer->waiting * sizeof(job *));
    if (writer->failure == STATUS_OK) {
        writer->failure = result;
    }
    pthread_cond_broadcast(&writer->changed);
}

static status read_all(FILE *file, uint8_t **bytes, size_t *size)
{
    const bool found = fseek(file, 0, SEEK_END) == 0;
    const long length = found ? ftell(file) : -1;
    *bytes = length > 0 ? malloc((size_t)length) : NULL;
    rewind(file);
    *size = *bytes ? fread(*bytes, 1, (size_t)length, file) : 0;
    return *size > 0 && *size == (size_t)length
               ? STATUS_OK
               : base_fail(STATUS_INPUT, "a picture cannot be read again");
}

/* The bytes of a picture that is there. */
static status read_again(const job *work, uint8_t **bytes, size_t *size)
{
    FILE *file = fopen(work->path, "rb");
    status s = file ? read_all(file, bytes, size)
                    : base_fail(STATUS_INPUT, "%s cannot be read again", work->path);
    if (file) {
        fclose(file);
    }
    return s;
}

/* Writes a picture from its bytes, which it hands on. */
static status hand_on(const io_png_writer *writer, const job *work)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    status s = work->is_there
                   ? read_again(work, &bytes, &size)
                   : io_png_encode_strips(&work->file, &work->strips, &bytes, &size);
    if (s == STATUS_OK && work->path && !work->is_there) {
        s = io_file_write(work->path, bytes, size);
    }
    s = s == STATUS_OK ? writer->take(writer->context, bytes, size) : s;
    free(bytes);
    return s;
}

/* Writes the float image first: a picture with its texts tells --resume that all files of
 * the frame are there. */
static status write_job(const io_png_writer *writer, const job *work)
{
    status s = work->floats.bytes ? io_float_file_write(&work->floats) : STATUS_OK;
    if (s == STATUS_OK && writer->take) {
        return hand_on(writer, work);
    }
    return s == STATUS_OK && work->path ? io_png_write_strips(&work->file, &work->strips)
                                        : s;
}

/* The thread: writes the oldest job, until the queue is empty and stopping is set. */
static void *write_pictures(void *argument)
{
    io_png_writer *writer = argument;
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting > 0 || !writer->stopping) {
        if (writer->waiting == 0) {
            pthread_cond_wait(&writer->changed, &writer->lock);
            continue;
        }
        const job *work = writer->queue[0];
        pthread_mutex_unlock(&writer->lock);
        status result = write_job(writer, work);
        pthread_mutex_lock(&writer->lock);
        retire_oldest(writer, result);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* Starts the thread with all signals blocked, so that handlers run in the program's own
 * threads. */
static int create_thread(io_png_writer *writer)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&writer->thread, NULL, write_pictures, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

status io_png_writer_create(io_png_writer **out)
{
    io_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        return base_fail_memory(sizeof *writer, "the writer of pictures");
    }
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    int error = create_thread(writer);
    if (error != 0) {
        pthread_cond_destroy(&writer->changed);
        pthread_mutex_destroy(&writer->lock);
        free(writer);
        return base_fail(STATUS_MEMORY,
                         "cannot start the thread that writes pictures: %s",
                         strerror(error));
    }
    *out = writer;
    return STATUS_OK;
}

/* Queues a picture, which the writer takes. */
static status queue(io_png_writer *writer, job *work)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting == QUEUE_LENGTH) {
        pthread_cond_wait(&writer->changed, &writer->lock);
    }
    const status s = writer->failure;
    if (s == STATUS_OK) {
        writer->queue[writer->waiting++] = work;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    if (s != STATUS_OK) {
        job_destroy(work);
    }
    return s;
}

status io_png_writer_submit(io_png_writer *writer, const io_png_file *file,
                            io_png_strips *strips, io_float_file *floats)
{
    job *work = NULL;
    io_float_file none = {0};
    const status s = job_create(file, strips, floats ? floats : &none, &work);
    return s == STATUS_OK ? queue(writer, work) : s;
}

void io_png_writer_set_take(io_png_writer *writer, io_png_take *take, void *context)
{
    pthread_mutex_lock(&writer->lock);
    writer->take = take;
    writer->context = context;
    pthread_mutex_unlock(&writer->lock);
}

status io_png_writer_repeat(io_png_writer *writer, const char *path)
{
    const io_png_file file = {.path = path};
    io_png_strips strips = {0};
    io_float_file floats = {0};
    job *work = NULL;
    const status s =
        writer->take ? job_create(&file, &strips, &floats, &work) : STATUS_OK;
    if (work) {
        work->is_there = true;
    }
    return work ? queue(writer, work) : s;
}

status io_png_writer_finish(io_png_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting > 0) {
        pthread_cond_wait(&writer->changed, &writer->lock);
    }
    status s = writer->failure;
    pthread_mutex_unlock(&writer->lock);
    return s;
}

void io_png_writer_forgive(io_png_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    writer->failure = STATUS_OK;
    pthread_mutex_unlock(&writer->lock);
}

void io_png_writer_destroy(io_png_writer **writer)
{
    if (!*writer) {
        return;
    }
    pthread_mutex_lock(&(*writer)->lock);
    (*writer)->stopping = true;
    pthread_cond_broadcast(&(*writer)->changed);
    pthread_mutex_unlock(&(*writer)->lock);
    pthread_join((*writer)->thread, NULL);
    pthread_cond_destroy(&(*writer)->changed);
    pthread_mutex_destroy(&(*writer)->lock);
    free(*writer);
    *writer = NULL;
}
