/*
 * Reading by one rank: a file driver of HDF5 (VFD), in place of its own "sec2", and a
 * watch over failures.
 *
 * HDF5 answers "there is none" if a look-up fails because the disk does, and fills up
 * with zeros where a file ends early. The driver remembers such reads, in every file that
 * a link or a virtual data set leads to. The watch lets no call succeed after one.
 */
#ifndef IO_SOURCES_HDF5_DRIVER_H
#define IO_SOURCES_HDF5_DRIVER_H

#include "base/status.h"

#include <hdf5.h>
#include <sys/types.h>

/* Sets the driver in a list of file access properties. It takes no locks, and refuses all
 * but regular files, without waiting for a pipe. Local. */
void io_hdf5_driver_set(hid_t access);

/* The descriptor of the file that holds an object; -1 if another driver has it open.
 * Borrowed. Local. */
int io_hdf5_driver_descriptor(hid_t object);

/* The byte of the file at which that chunk of a data set begins whose first value has the
 * indices `first`; -1: it was never written. The file is open by the driver. room: for a
 * chunk; it stays as it is. Local. */
int64_t io_hdf5_chunk_offset(hid_t dataset, const hsize_t *first, void *room);

/*
 * How links are followed, and how much HDF5 keeps of chunks: an access property list for
 * H5Oopen, H5Dopen and H5Lexists, with which karman opens every path of a data file. A
 * link into another file fails where that file's name is empty or that of a folder: HDF5
 * would hand MPI_File_open an empty name, and MPICH 4.0 reads beyond it. HDF5 closes the
 * list at its end. Local.
 */
hid_t io_hdf5_links(void);

/* The state of HDF5 before a watch. */
typedef struct io_hdf5_watch {
    H5E_auto2_t print;
    void *data;
    unsigned plugins;
} io_hdf5_watch;

/*
 * Begins a watch: HDF5 prints no errors, and loads no filters from other places, unless
 * KARMAN_HDF5_PLUGINS is 1: a data file could name any. Local.
 */
io_hdf5_watch io_hdf5_watch_begin(void);

/* `s`, or STATUS_INPUT with the reason if a read failed, a file was cut off or links led
 * to no data file since the last call. Call it before ranks agree on `s`. Local. */
status io_hdf5_watch_check(status s);

/* Ends a watch. A failed read is kept for the next check. */
void io_hdf5_watch_end(const io_hdf5_watch *before);

/* Makes the next check fail with a sentence, unless there is one already. Local. */
__attribute__((format(printf, 1, 2))) void io_hdf5_refuse(const char *format, ...);

/* Forgets links that led to no data file, for callers that name them. Copies the reason,
 * or "" if there is none. Local. */
enum { IO_HDF5_FAULT_SIZE = 512 };
void io_hdf5_refusal_take(char reason[IO_HDF5_FAULT_SIZE]);

/* Names the kind of something that is no regular file: "a pipe, no regular file". */
const char *io_hdf5_kind_name(mode_t mode);

/* Closes all of HDF5, before MPI ends. Local. Errors: STATUS_INPUT: a file that was read
 * could not be closed. */
status io_hdf5_finish(void);

#endif
