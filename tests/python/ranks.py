#!/usr/bin/env python3
"""The Python package on several ranks: pictures are those of the program, byte by byte.

    ranks.py PROGRAM DATASET WORK_FOLDER MPIEXEC RANKS [--mpi4py]
    ranks.py --rank [--mpi4py]      a rank of it, in the work folder, with the package in PYTHONPATH

With --mpi4py the communicator is one of mpi4py; 77: there is none of the same MPI. Without, karman starts
MPI itself.
"""
import os
import pathlib
import shutil
import subprocess
import sys

SIZE = (120, 80)


def rank_main(by_mpi4py):
    """Each rank describes a slab of the arrays, which share planes of vertices."""
    comm = None
    if by_mpi4py:
        from mpi4py import MPI
        comm = MPI.COMM_WORLD.Dup()
    import karman
    from karman._library import library
    rank, size = library.place(library.communicator(comm))
    with karman.open("wake.h5", comm=comm) as data:
        picture = data.render(size=SIZE)
        arrays = {name: data.read(name).astype("f4") for name in ["x", "y", "z", *data.fields]}
        values = data.probe([[2, 0, 1]], "pressure")
        bounds, limits = data.bounds, data.range("vorticity_magnitude")
    nk = arrays["x"].shape[0]
    low, high = rank * (nk - 1) // size, (rank + 1) * (nk - 1) // size + 1
    part = karman.Part({name: values[low:high] for name, values in arrays.items()}, first=(low, 0, 0),
                       shape=arrays["x"].shape)
    drawn = karman.render(part, size=SIZE, comm=comm)
    assert (picture is None, drawn is None) == (rank != 0, rank != 0)
    if rank == 0:
        picture.save(f"file_{size}.png")
        assert (picture.array == drawn.array).all(), "the arrays draw something else than their file"
        pathlib.Path(f"values_{size}.txt").write_text(repr((values, bounds, limits)))
    # A wrong array on the last rank fails on all of them, with its sentence; so does a wrong option.
    wrong = {**arrays, "pressure": arrays["pressure"][1:]} if rank == size - 1 else arrays
    for source, kind, sentence in ((wrong, karman.UsageError, "'pressure' has the shape"),
                                   ("nix.h5", karman.InputError, "No such file")):
        try:
            karman.render(source, comm=comm)
        except kind as error:
            assert sentence in str(error), error
        else:
            raise AssertionError(f"rank {rank} has drawn the wrong {kind.__name__}")


def run(program, dataset, work, mpiexec, ranks, *flags):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    launcher = [mpiexec, "-n", ranks]
    if flags:
        probe = "from mpi4py import MPI; import karman, karman._library as k; k.library.communicator(MPI.COMM_WORLD)"
        found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
        if found.returncode != 0:
            print("skipped:", (found.stderr.strip().splitlines() or ["mpi4py"])[-1])
            sys.exit(77)
    subprocess.run([dataset, "karman", "-n", "1", "-s", "41,21,6", "-o", "wake.h5"], check=True)
    subprocess.run([program, "render", "wake.h5", "--set", f"image.width={SIZE[0]}", "--set", f"image.height={SIZE[1]}",
                    "--quiet", "-o", "program.png"], check=True)
    for count in ("1", ranks):
        launcher[2] = count
        subprocess.run([*launcher, sys.executable, os.path.abspath(__file__), "--rank", *flags], check=True,
                       timeout=600)
        if pathlib.Path(f"file_{count}.png").read_bytes() != pathlib.Path("program.png").read_bytes():
            sys.exit(f"on {count} ranks the picture is not that of the program: {work}/file_{count}.png")
    if pathlib.Path(f"values_{ranks}.txt").read_text() != pathlib.Path("values_1.txt").read_text():
        sys.exit(f"values depend on the number of ranks: {work}/values_*.txt")
    failing = ("import karman; karman.open('wake.h5'); from karman._library import library as l; "
               "l.place(l._world)[0] and 1/0")
    if not flags:  # an error of one rank alone ends the job, while others wait
        script = failing + "\nkarman.render('wake.h5')"
        done = subprocess.run([mpiexec, "-n", ranks, sys.executable, "-c", script], capture_output=True, timeout=600)
        if done.returncode == 0 or b"ZeroDivisionError" not in done.stderr:
            sys.exit("an error of one rank does not end the job")
    print(f"the package draws the same on 1 and {ranks} ranks")


if __name__ == "__main__":
    if sys.argv[1] == "--rank":
        rank_main("--mpi4py" in sys.argv)
    else:
        run(*sys.argv[1:])
