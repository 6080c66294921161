#include "driver.h"

#include "io/gzip/unpacked.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Failures ---------------------------------------------------------------------- */

/* The first failure of each kind; "": none. One thread uses HDF5. */
static struct {
    char read[IO_HDF5_FAULT_SIZE], refused[IO_HDF5_FAULT_SIZE],
        closed[IO_HDF5_FAULT_SIZE];
} failures;

__attribute__((format(printf, 2, 3))) static void note(char text[IO_HDF5_FAULT_SIZE],
                                                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (text[0] == '\0') {
        vsnprintf(text, IO_HDF5_FAULT_SIZE, format, arguments);
    }
    va_end(arguments);
}

void io_hdf5_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (failures.refused[0] == '\0') {
        vsnprintf(failures.refused, IO_HDF5_FAULT_SIZE, format, arguments);
    }
    va_end(arguments);
}

void io_hdf5_refusal_take(char reason[IO_HDF5_FAULT_SIZE])
{
    strcpy(reason, failures.refused);
    failures.refused[0] = '\0';
}

/* ---- The driver -------------------------------------------------------------------- */

/* An open file. */
typedef struct file {
    H5FD_t public; /* HDF5's part, which comes first */
    int descriptor;
    dev_t device;
    ino_t node;
    haddr_t allocated; /* bytes that HDF5 knows of */
    haddr_t size;      /* at the opening */
    char name[];
} file;

const char *io_hdf5_kind_name(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe, no regular file"
                            : "no regular file";
}

/* HDF5 tries a linked file in several folders, so a missing one is no failure. */
static int open_regular(const char *name, struct stat *about)
{
    const int descriptor = io_packed_descriptor(name);
    if (descriptor < 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            note(failures.read, "file '%.300s' cannot be opened: %s", name,
                 strerror(errno));
        }
        return -1;
    }
    if (fstat(descriptor, about) != 0) {
        note(failures.read, "file '%.300s' cannot be opened: %s", name, strerror(errno));
    } else if (!S_ISREG(about->st_mode)) {
        io_hdf5_refuse("'%.300s' is %s: links must lead to data files", name,
                       io_hdf5_kind_name(about->st_mode));
    } else {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    struct stat about;
    (void)access, (void)most;
    const unsigned writes = H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_EXCL | H5F_ACC_CREAT;
    const int descriptor = (flags & writes) == 0 ? open_regular(name, &about) : -1;
    if (descriptor < 0) {
        return NULL;
    }
    file *made = calloc(1, sizeof *made + strlen(name) + 1);
    if (!made) {
        note(failures.read, "not enough memory to open file '%.300s'", name);
        close(descriptor);
        return NULL;
    }
    made->descriptor = descriptor;
    made->device = about.st_dev;
    made->node = about.st_ino;
    made->size = (haddr_t)about.st_size;
    strcpy(made->name, name);
    return &made->public;
}

/* HDF5 could not end after a file that stays open. */
static herr_t driver_close(H5FD_t *open)
{
    file *f = (file *)open;
    if (close(f->descriptor) != 0) {
        note(failures.closed, "file '%.300s' cannot be closed: %s", f->name,
             strerror(errno));
    }
    free(f);
    return 0;
}

static int driver_compare(const H5FD_t *a, const H5FD_t *b)
{
    const file *first = (const file *)a, *second = (const file *)b;
    return first->device != second->device ? (first->device < second->device ? -1 : 1)
           : first->node != second->node   ? (first->node < second->node ? -1 : 1)
                                           : 0;
}

static herr_t driver_query(const H5FD_t *open, unsigned long *flags)
{
    (void)open;
    *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_allocated(const H5FD_t *open, H5FD_mem_t type)
{
    (void)type;
    return ((const file *)open)->allocated;
}

static herr_t driver_allocate(H5FD_t *open, H5FD_mem_t type, haddr_t bytes)
{
    (void)type;
    ((file *)open)->allocated = bytes;
    return 0;
}

static haddr_t driver_size(const H5FD_t *open, H5FD_mem_t type)
{
    (void)type;
    return ((const file *)open)->size;
}

static herr_t driver_handle(H5FD_t *open, hid_t access, void **handle)
{
    (void)access;
    *handle = &((file *)open)->descriptor;
    return 0;
}

/* The place of the raw data that HDF5 asks for next, which are not read: >= 0 once it has
 * asked; -1: it shall ask; otherwise no place is asked for. */
enum { NO_PLACE = -2 };
static int64_t next_place = NO_PLACE;

static herr_t driver_read(H5FD_t *open, H5FD_mem_t type, hid_t transfer, haddr_t at,
                          size_t bytes, void *out)
{
    const file *f = (const file *)open;
    char *to = out;
    (void)transfer;
    if (next_place == -1 && type == H5FD_MEM_DRAW) {
        next_place = (int64_t)at;
        return 0;
    }
    while (bytes > 0) {
        const ssize_t count = pread(f->descriptor, to, bytes, (off_t)at);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            note(failures.read, "file '%.300s' %s%s", f->name,
                 count < 0 ? "cannot be read: "
                           : "was cut off while it was read: copy or write it again",
                 count < 0 ? strerror(errno) : "");
            return -1;
        }
        to += count;
        at += (haddr_t)count;
        bytes -= (size_t)count;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *open, H5FD_mem_t type, hid_t transfer, haddr_t at,
                           size_t bytes, const void *from)
{
    (void)open, (void)type, (void)transfer, (void)at, (void)bytes, (void)from;
    return -1;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 2)
    .version = H5FD_CLASS_VERSION,
    .value =
        (H5FD_class_value_t)513, /* 256 to 511 are registered ones, up to 65535 free */
#endif
    .name = "karman",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_allocated,
    .set_eoa = driver_allocate,
    .get_eof = driver_size,
    .get_handle = driver_handle,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

static hid_t driver_id(void)
{
    static hid_t id = H5I_INVALID_HID;
    if (H5Iis_valid(id) <= 0 || H5Iget_type(id) != H5I_VFL) {
        id = H5FDregister(&driver);
    }
    return id;
}

void io_hdf5_driver_set(hid_t access)
{
    H5Pset_driver(access, driver_id(), NULL);
}

int io_hdf5_driver_descriptor(hid_t object)
{
    const hid_t holder = H5Iget_file_id(object);
    const hid_t access = H5Fget_access_plist(holder);
    void *handle = NULL;
    if (H5Pget_driver(access) == driver_id()) {
        H5Fget_vfd_handle(holder, access, &handle);
    }
    const int descriptor = handle ? *(const int *)handle : -1;
    H5Pclose(access);
    H5Fclose(holder);
    return descriptor;
}

/* ---- links ------------------------------------------------------------------------ */

/* H5Dget_chunk_info_by_coord goes through all chunks before. */
int64_t io_hdf5_chunk_offset(hid_t dataset, const hsize_t *first, void *room)
{
    uint32_t filters;
    next_place = -1;
    const herr_t found = H5Dread_chunk(dataset, H5P_DEFAULT, first, &filters, room);
    const int64_t place = found < 0 ? -1 : next_place;
    next_place = NO_PLACE;
    return place;
}

/* HDF5 asks this before it opens the file `child`; a negative answer fails the opening.
 */
static herr_t refuse_nameless(const char *parent, const char *group, const char *child,
                              const char *object, unsigned *flags, hid_t access,
                              void *context)
{
    (void)parent, (void)group, (void)object, (void)flags, (void)access, (void)context;
    const size_t length = strlen(child);
    return length == 0 || child[length - 1] == '/' ? -1 : 0;
}

/* Boxes that are read one after the other cut the same chunks: they stay unpacked. */
enum { CHUNK_BYTES = 1 << 25, CHUNK_SLOTS = 12421 };

hid_t io_hdf5_links(void)
{
    static hid_t links;
    if (links <= 0 || H5Iis_valid(links) <= 0) {
        links = H5Pcreate(H5P_DATASET_ACCESS);
        H5Pset_elink_cb(links, refuse_nameless, NULL);
        H5Pset_chunk_cache(links, CHUNK_SLOTS, CHUNK_BYTES, 1.0);
    }
    return links;
}

/* ---- The watch --------------------------------------------------------------------- */

/* MPI-IO has no driver of ours: HDF5 puts MPI's words on its stack of errors. */
static herr_t look_at_error(unsigned depth, const H5E_error2_t *error, void *context)
{
    (void)depth, (void)context;
    if (error->min_num == H5E_NLINKS) {
        io_hdf5_refuse("links of a data file lead in a circle: remove them");
    } else if (error->min_num == H5E_MPIERRSTR && error->desc &&
               !strstr(error->desc, "does not exist") &&
               !strstr(error->desc, "No such file")) {
        note(failures.read, "a data file cannot be read: %.400s", error->desc);
    } else if (error->maj_num == H5E_EFL && errno != 0) {
        note(failures.read, "the file of raw data of a data set cannot be read: %s",
             strerror(errno));
    }
    return 0;
}

/* HDF5 calls this whenever a function of its interface fails. */
static herr_t look_at_errors(hid_t stack, void *context)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, look_at_error, context);
}

io_hdf5_watch io_hdf5_watch_begin(void)
{
    io_hdf5_watch before = {.plugins = H5PL_ALL_PLUGIN};
    const char *wanted = getenv("KARMAN_HDF5_PLUGINS");
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
    H5Eset_auto2(H5E_DEFAULT, look_at_errors, NULL);
    H5PLget_loading_state(&before.plugins);
    if (!wanted || strcmp(wanted, "1") != 0) {
        H5PLset_loading_state(0);
    }
    failures.refused[0] = '\0';
    return before;
}

void io_hdf5_watch_end(const io_hdf5_watch *before)
{
    H5Eset_auto2(H5E_DEFAULT, before->print, before->data);
    H5PLset_loading_state(before->plugins);
}

status io_hdf5_watch_check(status s)
{
    const char *failure = failures.read[0] != '\0' ? failures.read : failures.refused;
    if (failure[0] != '\0' && s != STATUS_MEMORY) {
        base_fail_set_message("");
        s = base_fail(STATUS_INPUT, "%s", failure);
    }
    failures.read[0] = failures.refused[0] = '\0';
    return s;
}

status io_hdf5_finish(void)
{
    H5E_BEGIN_TRY
    {
        H5close();
    }
    H5E_END_TRY
    return failures.closed[0] == '\0' ? STATUS_OK
                                      : base_fail(STATUS_INPUT, "%s", failures.closed);
}
