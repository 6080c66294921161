#!/usr/bin/env python3
"""Compares karman with VTK's ray caster of unstructured grids and writes tables in
Markdown.

    apt-get install python3-vtk9 python3-h5py xvfb xauth      # on Debian
    /usr/bin/python3 tests/bench/peer_vtk.py --build build/release \\
        --sizes combustor,small,1M --sides 1024 --threads 1,2 --out peer_vtk.md

VTK draws the same data, view and transfer function with the same number of threads: a
structured grid, cut into tetrahedra by vtkDataSetTriangleFilter, through
vtkUnstructuredGridVolumeRayCastMapper with vtkUnstructuredGridPreIntegration. karman does
so by bench_frames. The two take turns, a process for each measurement, every second round
backwards, so that a machine that drifts does so for both.

The first frame begins with opening the file and ends with the picture; what comes before
is not counted: MPI_Init on one side, imports and an empty OpenGL window on the other.
Each further frame has a new view. A display is not needed: Xvfb is started where there is
none.

--programs adds VTK as users meet it otherwise: `projected`, projected tetrahedra;
`resampled`, vtkResampleToImage (256 samples along the longest side) and a ray caster of
images; `batch`, pvbatch with --steps frames from start to PNG, beside `karman render`. The
length over which their opacity holds is matched: the mean of the picture is that of
karman's within 5 %. Without pvbatch, `batch` is skipped. The case `isosurface` is
vtkContourFilter beside karman's isosurface.

How right the pictures are is measured against pixels of the reference renderer
(tests/reference), on a lattice over the picture; for the combustor against the trusted
pixels that come with it. The combustor is left out where its files are not there.

Measurements are kept beside the tables (--results), a line of JSON each: with --report
the tables are made from them anew.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from compare_composite import available_memory, machine, run_bounded, table

# Vertices of the grids around the cylinder.
GRIDS = {
    "small": (81, 41, 11),
    "1M": (321, 129, 26),
    "4M": (513, 257, 32),
    "16M": (801, 401, 51),
}
GRIDS["isosurface"] = GRIDS["small"]
COMBUSTOR_CELLS = 56 * 32 * 24

# Samples of vtkResampleToImage along the longest side of the bounds.
RESAMPLED = 256

# The scalar of samples outside of the grid, far below those inside.
OUTSIDE = -100.0

# Pictures of other mappers have the mean of karman's within this share.
LIKENESS = 0.05

# What VTK took at its peak for a cell of the grid with 1 million, rounded up.
VTK_CELL_BYTES = 2200

# What the grids are drawn with: translucent everywhere, densest in the vortices' cores.
CYLINDER_VIEW = {
    "image": {"background": [0.01, 0.015, 0.03]},
    "camera": {"position": [3, -22, 14], "look_at": [6, 0, 1.5], "up": [0, 0, 1],
               "fov": 35},
    "layers": [{"volume": {
        "field": "pressure", "positions": "data", "range": [-1.2, 0.2],
        "colors": [[-1.2, 1.0, 0.9, 0.3], [-0.5, 0.9, 0.3, 0.1], [-0.2, 0.2, 0.8, 0.4],
                   [0.2, 0.1, 0.3, 0.9]],
        "extinction": [[-1.2, 3.0], [-0.5, 1.0], [-0.2, 0.15], [0.0, 0.03], [0.2, 0.2]],
        "unit_length": 1}}],
}

ISOSURFACE_LAYERS = [{"isosurface": {
    "field": "pressure", "value": -0.3, "color": [0.9, 0.6, 0.3]}}]


def extent_of(side):
    """Width and height of pictures: 1024 is a square, "1024x768" is not."""
    width, _, height = str(side).partition("x")
    return int(width), int(height or width)


def label_of(side):
    return f"{side}²" if isinstance(side, int) else side


def field_of(config):
    (layer,) = config["layers"][0].values()
    return layer["field"]


def cells_of(name):
    if name == "combustor":
        return COMBUSTOR_CELLS
    return math.prod(n - 1 for n in GRIDS[name])


# ---- Cases: a data file, and a config that both sides draw ---------------------------


def write_config(path, config):
    path.write_text(json.dumps(config, indent=1) + "\n")  # JSON is YAML, too
    return path


def cylinder_config(options, name, steps=1):
    data = options.work / f"{name}-{steps}.h5"
    if not data.exists():
        size = ",".join(str(n) for n in GRIDS[name])
        command = [str(options.build / "karman-dataset"), "karman", "--steps", str(steps),
                   "--size", size, "--output", str(data)]
        code, text = run_bounded(command, karman_environment(), options.limit)
        if code != 0:
            data.unlink(missing_ok=True)
            sys.exit(f"{shlex.join(command)} failed:\n{text}")
    config = {"data": {"file": str(data)}, **json.loads(json.dumps(CYLINDER_VIEW))}
    if name == "isosurface":
        config["layers"] = ISOSURFACE_LAYERS
    return config


def combustor_config(options):
    view = json.loads((options.data / "comb-view.json").read_text())["view"]
    camera, transfer = view["camera"], view["transfer_function"]
    return {
        "data": {"file": str(options.data / "comb.h5"), "steps": 0,
                 "grid": {axis: f"/grid/{axis}" for axis in "xyz"},
                 "fields": {"density": "/flow/density"}},
        "image": {"background": view["background"]},
        "camera": {"position": camera["position"], "look_at": camera["focal_point"],
                   "up": camera["view_up"], "fov": camera["view_angle_deg"]},
        "layers": [{"volume": {
            "field": "density", "positions": "data",
            "colors": [point[:4] for point in transfer["points"]],
            "extinction": [[point[0], point[4]] for point in transfer["points"]],
            "unit_length": transfer["opacity_unit_length"]}}],
    }


def make_config(options, name, side):
    """Path of the config of a case."""
    config = combustor_config(options) if name == "combustor" else \
        cylinder_config(options, name)
    width, height = extent_of(side)
    config["image"].update(width=width, height=height, samples=1)
    config["output"] = {"frames": str(options.work / f"{name}-{side}-karman.png")}
    if name != "combustor":
        config["data"]["steps"] = 0
    return write_config(options.work / f"{name}-{side}.yaml", config)


# ---- karman --------------------------------------------------------------------------


def karman_environment():
    return dict(os.environ, OMP_WAIT_POLICY="passive", UCX_TLS="posix,self")


def bench_frames(options, config, *arguments):
    return [str(options.build / "tests/bench/bench_frames"), str(config), *arguments]


def last_line(text):
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return None


def run_karman(options, config, case, threads):
    lines = options.work / "karman-line.jsonl"
    lines.unlink(missing_ok=True)
    command = bench_frames(options, config, "--threads", str(threads), "--views",
                           str(options.views), "--angle", str(options.angle), "--still",
                           str(options.still), "--json", str(lines))
    code, text = run_bounded(command, karman_environment(), options.limit)
    if code != 0:
        return failed(command, code, text)
    return json.loads(lines.read_text())


def failed(command, code, text):
    what = f"exit code {code}" if code is not None else "took too long"
    print(f"FAILED ({what}): {shlex.join(command)}\n{text[-2000:]}", file=sys.stderr,
          flush=True)
    return None


# ---- VTK, from outside ---------------------------------------------------------------


def vtk_picture(options, name, side, program="VTK"):
    return options.work / f"{name}-{side}-{program.lower()}.png"


def with_display(command):
    if os.environ.get("DISPLAY"):
        return command
    return ["xvfb-run", "-a", "-s", "-screen 0 640x480x24 +extension GLX", *command]


def run_vtk(options, config, case, threads, program="VTK"):
    name, side = case
    memory = available_memory() or math.inf
    if program == "VTK" and VTK_CELL_BYTES * cells_of(name) > 0.9 * memory:
        print(f"VTK: {name} left out, there is not enough memory", flush=True)
        return None
    command = [sys.executable, __file__, "--draw", str(config), "--threads", str(threads),
               "--views", str(options.views), "--angle", str(options.angle), "--still",
               str(options.still), "--limit", str(0.8 * options.limit), "--integrator",
               options.integrator, "--mapper", program, "--picture",
               str(vtk_picture(options, name, side, program))]
    ours = options.work / f"{name}-{side}-karman.png"
    if program != "VTK" and ours.exists():
        command += ["--like", str(ours)]
    environment = dict(os.environ, VTK_SMP_MAX_THREADS=str(threads))
    code, text = run_bounded(with_display(command), environment, options.limit)
    line = last_line(text)
    return line if code == 0 and line else failed(command, code, text)


# ---- Batch jobs ----------------------------------------------------------------------


def run_job(command, environment, limit):
    """Seconds of processors of a whole process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    code, text = run_bounded(command, environment, limit)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        return failed(command, code, text)
    return seconds, (after.ru_utime + after.ru_stime - before.ru_utime
                     - before.ru_stime)


def batch_commands(options, config, case):
    """karman's and ParaView's; both draw every step of a file."""
    name, side = case
    frames = options.work / f"{name}-{side}-batch"
    config["image"] = json.loads(options.work.joinpath(f"{name}-{side}.yaml").read_text())[
        "image"]
    config["output"] = {"frames": f"{frames}-karman_%04d.png"}
    ours = write_config(options.work / f"{name}-{side}-batch.yaml", config)
    job = {"data": str(pathlib.Path(config["data"]["file"]).with_suffix(".xdmf")),
           "frames": f"{frames}-paraview_%04d.png", "config": config,
           "unit": options.units.get(case, 1.0)}
    theirs = write_config(options.work / f"{name}-{side}-batch.json", job)
    script = pathlib.Path(__file__).with_name("peer_batch.py")
    return {"karman": [str(options.build / "karman"), "render", str(ours), "--quiet",
                       "--threads", str(options.threads[0])],
            "ParaView": with_display(["pvbatch", str(script), str(theirs)])}


def measure_batch(options, case):
    """Frames of a batch job from start to PNG, as seconds a frame."""
    name, _ = case
    if name in ("combustor", "isosurface"):
        return
    config = cylinder_config(options, name, options.steps)
    for program, command in batch_commands(options, config, case).items():
        found = run_job(command, karman_environment(), options.limit)
        if found:
            seconds, processor = (number / options.steps for number in found)
            append(options, {"batch": program, "case": name, "side": case[1],
                             "seconds": seconds, "processor": processor,
                             "steps": options.steps})


# ---- VTK, from inside ----------------------------------------------------------------


def open_array(file, path):
    return file[path][...].astype("float32", copy=False)


def read_grid(config):
    """x, y, z and the scalar, [nk][nj][ni] each."""
    import h5py
    field = field_of(config)
    data = config["data"]
    with h5py.File(data["file"]) as file:
        if "grid" in data:
            paths = [data["grid"][axis] for axis in "xyz"] + [data["fields"][field]]
        else:
            (block,), step = file["grid"], sorted(file["flow"])[0]
            paths = [f"grid/{block}/{axis}" for axis in "xyz"]
            paths.append(f"flow/{step}/{block}/{field}")
        return [open_array(file, path) for path in paths]


def make_grid(vtk, config):
    import numpy
    from vtk.util.numpy_support import numpy_to_vtk
    x, y, z, scalar = read_grid(config)
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(numpy.stack([x.ravel(), y.ravel(), z.ravel()], axis=1),
                                deep=True))
    grid = vtk.vtkStructuredGrid()
    grid.SetDimensions(*reversed(x.shape))
    grid.SetPoints(points)
    values = numpy_to_vtk(scalar.ravel(), deep=True)
    values.SetName("scalar")
    grid.GetPointData().SetScalars(values)
    return grid


def make_property(vtk, config, mapper):
    """The transfer function; VTK's opacity over unit distance is our extinction. Both
    functions get the points of both: VTK 9.1 integrates as if the extinction had no
    others than the colours."""
    import numpy
    layer = config["layers"][0]["volume"]
    rgb, tau = numpy.array(layer["colors"]).T, numpy.array(layer["extinction"]).T
    colors, extinction = vtk.vtkColorTransferFunction(), vtk.vtkPiecewiseFunction()
    colors.SetColorSpaceToRGB()
    for at in sorted({*rgb[0], *tau[0]}):
        color = [numpy.interp(at, rgb[0], channel) for channel in rgb[1:]]
        colors.AddRGBPoint(at, *color)
        extinction.AddPoint(at, numpy.interp(at, *tau))
    if mapper == "resampled":
        colors.AddRGBPoint(OUTSIDE, 0, 0, 0)
        extinction.AddPoint(OUTSIDE, 0.0)
        extinction.AddPoint(min(rgb[0]) - 1e-3, 0.0)
    prop = vtk.vtkVolumeProperty()
    prop.SetColor(colors)
    prop.SetScalarOpacity(extinction)
    prop.SetScalarOpacityUnitDistance(layer["unit_length"])
    prop.SetInterpolationTypeToLinear()
    prop.ShadeOff()
    return prop


def make_window(vtk, config):
    """An empty window whose OpenGL is up, with the config's camera."""
    image, eye = config["image"], config["camera"]
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(image["background"])
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(image["width"], image["height"])
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.SetPosition(eye["position"])
    camera.SetFocalPoint(eye["look_at"])
    camera.SetViewUp(eye["up"])
    camera.SetViewAngle(eye["fov"])
    window.Render()
    return window, renderer


def make_tetrahedra(vtk, grid):
    tetrahedra = vtk.vtkDataSetTriangleFilter()
    tetrahedra.SetInputData(grid)
    tetrahedra.TetrahedraOnlyOn()
    return tetrahedra


def ray_caster(vtk, grid, options):
    mapper = vtk.vtkUnstructuredGridVolumeRayCastMapper()
    tetrahedra = make_tetrahedra(vtk, grid)
    mapper.SetInputConnection(tetrahedra.GetOutputPort())
    mapper.SetRayIntegrator(getattr(vtk, options.integrator)())
    mapper.AutoAdjustSampleDistancesOff()
    mapper.SetImageSampleDistance(1.0)
    mapper.IntermixIntersectingGeometryOff()
    mapper.SetNumberOfThreads(options.threads[0])
    return mapper


def projected_tetrahedra(vtk, grid, _options):
    mapper = vtk.vtkProjectedTetrahedraMapper()
    tetrahedra = make_tetrahedra(vtk, grid)
    mapper.SetInputConnection(tetrahedra.GetOutputPort())
    return mapper


def image_caster(vtk, grid, options):
    """Casts rays through samples of the grid. Those outside of it are transparent: they
    are given the scalar without extinction, as vtkResampleToImage marks them."""
    from vtk.util.numpy_support import vtk_to_numpy
    lo, hi = grid.GetBounds()[::2], grid.GetBounds()[1::2]
    longest = max(b - a for a, b in zip(lo, hi))
    samples = [max(2, round(RESAMPLED * (b - a) / longest)) for a, b in zip(lo, hi)]
    resample = vtk.vtkResampleToImage()
    resample.SetInputDataObject(grid)
    resample.SetSamplingDimensions(*samples)
    resample.Update()
    image = resample.GetOutput()
    scalar = vtk_to_numpy(image.GetPointData().GetArray("scalar"))
    scalar[vtk_to_numpy(image.GetPointData().GetArray("vtkValidPointMask")) == 0] = OUTSIDE
    image.GetPointData().SetActiveScalars("scalar")
    mapper = vtk.vtkFixedPointVolumeRayCastMapper()
    mapper.SetInputData(image)
    mapper.LockSampleDistanceToInputSpacingOn()
    mapper.AutoAdjustSampleDistancesOff()
    mapper.SetImageSampleDistance(1.0)
    mapper.SetNumberOfThreads(options.threads[0])
    return mapper


MAPPERS = {"VTK": ray_caster, "projected": projected_tetrahedra, "resampled": image_caster}


def make_volume(vtk, config, options):
    volume = vtk.vtkVolume()
    volume.SetMapper(MAPPERS[options.mapper](vtk, make_grid(vtk, config), options))
    volume.SetProperty(make_property(vtk, config, options.mapper))
    return volume


def make_isosurface(vtk, config):
    layer = config["layers"][0]["isosurface"]
    contour = vtk.vtkContourFilter()
    contour.SetInputData(make_grid(vtk, config))
    contour.SetValue(0, layer["value"])
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(contour.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(layer["color"])
    return actor


def turn_camera(camera, config, degrees):
    """The config's camera, turned around `up` through the point that it looks at."""
    import numpy
    eye = config["camera"]
    centre = numpy.array(eye["look_at"], float)
    axis = numpy.array(eye["up"], float)
    axis /= numpy.linalg.norm(axis)
    arm = numpy.array(eye["position"], float) - centre
    turn = math.radians(degrees)
    arm = (arm * math.cos(turn) + numpy.cross(axis, arm) * math.sin(turn)
           + axis * axis.dot(arm) * (1.0 - math.cos(turn)))
    camera.SetPosition(centre + arm)
    camera.SetViewUp(eye["up"])


def save_picture(vtk, window, path):
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(grab.GetOutputPort())
    writer.SetFileName(path)
    writer.Write()


def mean_of_window(vtk, window):
    from vtk.util.numpy_support import vtk_to_numpy
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    return float(vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).mean())


def match_opacity(vtk, scene, options):
    """Finds the length over which the opacity holds so that the mean of the picture is
    that of karman's. Returns it and the mean over karman's."""
    window, renderer, draw = scene
    volume = renderer.GetVolumes().GetLastProp() if renderer.GetVolumes() else None
    if not options.like:
        return None, None
    wanted = float(read_picture(options.like).mean())
    unit, step, share = 1.0, 2.0, mean_of_window(vtk, window) / wanted
    thins = share > 1.0
    for _ in range(8 if volume else 0):
        if abs(share - 1.0) <= LIKENESS:
            break
        if (share > 1.0) != thins:
            thins, step = not thins, math.sqrt(step)
        unit *= step if thins else 1.0 / step
        volume.GetProperty().SetScalarOpacityUnitDistance(unit)
        draw()
        share = mean_of_window(vtk, window) / wanted
    return unit, share


class Series:
    """Frames of one kind: seconds on the clock and of processors."""

    def __init__(self):
        self.seconds, self.processor = [], []

    def measure(self, action):
        begin, processor = time.perf_counter(), time.process_time()
        action()
        self.seconds.append(time.perf_counter() - begin)
        self.processor.append(time.process_time() - processor)

    def longest(self):
        return max(self.seconds, default=0.0)


def draw_with_vtk(options):
    """What run_vtk starts: prints a line of JSON."""
    import vtk
    begun = time.perf_counter()
    config = json.loads(options.draw.read_text())
    window, renderer = make_window(vtk, config)
    before = peak_memory()

    def draw():
        renderer.ResetCameraClippingRange()
        window.Render()
        window.WaitForCompletion()

    def draw_first():
        if "isosurface" in config["layers"][0]:
            renderer.AddActor(make_isosurface(vtk, config))
        else:
            renderer.AddVolume(make_volume(vtk, config, options))
        draw()

    first, view, still = Series(), Series(), Series()
    first.measure(draw_first)
    memory = peak_memory()
    unit, mean = match_opacity(vtk, (window, renderer, draw), options)
    save_picture(vtk, window, str(options.picture))

    def measure(series, count, action):
        for _ in range(count):
            needed = max(view.longest(), 0.5 * first.longest())
            if time.perf_counter() - begun + needed < options.limit:
                series.measure(action)

    def draw_view():
        turn_camera(renderer.GetActiveCamera(), config,
                    options.angle * (1 + len(view.seconds)))
        draw()

    measure(view, options.views, draw_view)
    measure(still, options.still, draw)
    image = config["image"]
    print(json.dumps({
        "program": options.mapper, "unit": unit, "mean": mean,
        "version": vtk.vtkVersion().GetVTKVersion(),
        "integrator": options.integrator, "threads": options.threads[0],
        "width": image["width"], "height": image["height"],
        "first": first.seconds[0], "first_processor": first.processor[0],
        "view": vars(view), "still": vars(still),
        "memory_before": before, "first_memory": memory, "peak_memory": peak_memory()}))


def peak_memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# ---- How right the pictures are ------------------------------------------------------


def read_picture(path):
    """[rows][columns][3], 0 to 255, the first row at the top."""
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    reader = vtk.vtkPNGReader()
    reader.SetFileName(str(path))
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    values = vtk_to_numpy(image.GetPointData().GetScalars())
    return values.reshape(height, width, -1)[::-1, :, :3].astype(float)


def trusted_pixels(options, side):
    view = json.loads((options.data / "comb-view.json").read_text())
    sets = [s["pixels"] for s in view["sets"] if s["image_size"] == side]
    return sets[0] if sets else None


def reference_pixels(options, config, case):
    name, side = case
    if name == "combustor" and (pixels := trusted_pixels(options, side)):
        return pixels
    path = options.work / f"{name}-{side}-reference.json"
    command = bench_frames(options, config, "--reference", str(path), "--points",
                           str(options.points))
    code, text = run_bounded(command, karman_environment(), options.limit)
    if code != 0:
        return failed(command, code, text)
    return json.loads(path.read_text())["pixels"]


def difference(picture, pixels):
    """Mean, 99th percentile and worst of all channels, of 255."""
    import numpy
    image = read_picture(picture)
    ours = numpy.array([image[p["row"], p["col"]] for p in pixels])
    theirs = 255.0 * numpy.array([p["rgb"] for p in pixels])
    apart = numpy.abs(ours - theirs)
    return [float(apart.mean()), float(numpy.percentile(apart, 99)), float(apart.max())]


def compare_pictures(options, config, case):
    """Lines of JSON, one for each program that has drawn the case."""
    name, side = case
    pictures = {"karman": options.work / f"{name}-{side}-karman.png",
                "VTK": vtk_picture(options, name, side)}
    pixels = reference_pixels(options, config, case)
    if not pixels:
        return []
    return [{"difference": difference(path, pixels), "pixels": len(pixels),
             "program": program, "case": name, "side": side}
            for program, path in pictures.items() if path.exists()]


# ---- Measuring -----------------------------------------------------------------------


def append(options, line):
    with options.results.open("a") as out:
        out.write(json.dumps(line) + "\n")


def measure_case(options, case):
    """Every round and number of threads of a case, then its pictures."""
    name, side = case
    config = make_config(options, name, side)
    gone = set()
    for number in range(options.rounds):
        for threads in options.threads:
            programs = ["karman", *(p for p in MAPPERS if name != "isosurface" or p == "VTK")]
            for program in programs if number % 2 == 0 else reversed(programs):
                if program in gone or program not in options.programs:
                    continue
                line = (run_karman(options, config, case, threads) if program == "karman"
                        else run_vtk(options, config, case, threads, program))
                if line is None:
                    gone.add(program)
                    continue
                append(options, dict(line, case=name, side=side, round=number,
                                     load=os.getloadavg()[0]))
                if program == "projected" and line["unit"]:
                    options.units[case] = line["unit"]
    if "batch" in options.programs:
        measure_batch(options, case)
    if options.points > 0 and name != "isosurface":
        for line in compare_pictures(options, config, case):
            append(options, line)


def is_there(options, name):
    if name != "combustor" or (options.data / "comb.h5").exists():
        return True
    print(f"skipped: the combustor, {options.data / 'comb.h5'} is not there", flush=True)
    return False


# ---- Tables --------------------------------------------------------------------------


class Summary:
    """Medians of one program in one case with one number of threads."""

    def __init__(self, lines):
        views = [line["view"] for line in lines]
        self.first = statistics.median(line["first"] for line in lines)
        self.first_processor = median_or_none(lines, "first_processor")
        self.prepared = median_or_none(lines, "prepared")
        self.written = median_or_none(lines, "written")
        self.view = median_of(views, "seconds")
        self.view_processor = median_of(views, "processor")
        self.mean = median_or_none([line for line in lines if line.get("mean")], "mean")
        self.still = median_of([line["still"] for line in lines], "seconds")
        self.memory = max(line["peak_memory"] for line in lines)
        self.vertices = lines[0].get("vertices")
        self.lost = sum(view.get("lost_rays", 0) for view in views)
        self.crossings = median_of(views, "crossings")


def median_of(series, key):
    """Of all numbers in the lists of that name."""
    values = [value for one in series for value in one.get(key, [])]
    return statistics.median(values) if values else None


def median_or_none(lines, key):
    values = [line[key] for line in lines if key in line]
    return statistics.median(values) if values else None


def summaries(lines):
    """{(case, side, threads): {program: Summary}}."""
    groups = {}
    for line in lines:
        if "first" in line:
            key = (line["case"], line["side"], line["threads"])
            groups.setdefault(key, {}).setdefault(line["program"], []).append(line)
    return {key: {program: Summary(found) for program, found in programs.items()}
            for key, programs in groups.items()}


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


def ratio(ours, theirs, key):
    a, b = getattr(ours, key, None), getattr(theirs, key, None)
    return f"**{b / a:.1f}**" if a and b else "–"


def time_table(found):
    rows = []
    for (case, side, threads), programs in found.items():
        ours, theirs = programs.get("karman"), programs.get("VTK")
        cells = [case, label_of(side), str(threads)]
        for key in ("first", "view", "view_processor"):
            cells += [number(getattr(one, key, None)) for one in (ours, theirs)]
            cells.append(ratio(ours, theirs, key))
        rows.append(cells)
    return table(["data", "picture", "threads", "first frame: karman, s", "VTK, s", "÷",
                  "new view: karman, s", "VTK, s", "÷", "of processors: karman, s",
                  "VTK, s", "÷"], rows)


def peer_table(found):
    """Processor seconds of the other mappers."""
    rows = []
    for (case, side, threads), programs in found.items():
        ours = programs.get("karman")
        for program, theirs in programs.items():
            if program == "karman" or not ours:
                continue
            rows.append([case, label_of(side), str(threads), program,
                         number(theirs.mean)])
            for key in ("first_processor", "view_processor"):
                rows[-1] += [number(getattr(one, key)) for one in (ours, theirs)]
                rows[-1].append(ratio(ours, theirs, key))
    return table(["data", "picture", "threads", "peer", "mean of the picture ÷ karman's",
                  "first frame: karman, processor s", "peer", "÷",
                  "new view: karman, processor s", "peer", "÷"], rows)


def batch_table(lines):
    last = {}
    for line in lines:
        if "batch" in line:
            last.setdefault((line["case"], line["side"]), {})[line["batch"]] = line
    rows = []
    for (case, side), found in last.items():
        ours, theirs = (found.get(name, {}) for name in ("karman", "ParaView"))
        cells = [case, label_of(side), str(next(iter(found.values()))["steps"])]
        for key in ("seconds", "processor"):
            a, b = ours.get(key), theirs.get(key)
            cells += [number(a), number(b), f"**{b / a:.1f}**" if a and b else "–"]
        rows.append(cells)
    return table(["data", "picture", "frames", "a frame: karman, s", "pvbatch, s", "÷",
                  "of processors: karman, s", "pvbatch, s", "÷"], rows)


def speed(one, seconds):
    """Millions of crossings a second."""
    return 1e-6 * one.crossings / seconds if one.crossings and seconds else None


def karman_table(found):
    rows = []
    for (case, side, threads), programs in found.items():
        one = programs.get("karman")
        if one:
            rows.append([case, label_of(side), str(threads), number(one.prepared),
                         number(one.written), number(one.still),
                         number(speed(one, 1.0)), number(speed(one, one.view)),
                         number(speed(one, one.view_processor)), str(one.lost)])
    return table(["data", "picture", "threads", "prepared after, s", "PNG after, s",
                  "nothing changed, s", "crossings, M", "M/s", "M/s of a processor",
                  "lost rays"], rows)


def memory_table(found):
    rows = []
    for (case, side, threads), programs in found.items():
        ours, theirs = programs.get("karman"), programs.get("VTK")
        if not ours:
            continue
        cells = [case, label_of(side), str(threads), f"{ours.vertices:,}"]
        for one in (ours, theirs):
            cells += ([f"{one.memory / 2**20:.0f}", f"{one.memory / ours.vertices:.1f}"]
                      if one else ["–", "–"])
        rows.append([*cells, ratio(ours, theirs, "memory")])
    return table(["data", "picture", "threads", "vertices", "karman: peak, MiB",
                  "bytes a vertex", "VTK: peak, MiB", "bytes a vertex", "÷"], rows)


def difference_table(lines):
    last = {}
    for line in lines:
        if "difference" in line:
            key = (line["case"], line["side"])
            last.setdefault(key, {"pixels": line["pixels"]})[line["program"]] = line
    rows = []
    for (case, side), found in last.items():
        cells = [case, label_of(side), str(found["pixels"])]
        for program in ("karman", "VTK"):
            values = found[program]["difference"] if program in found else [None] * 3
            cells += [number(value) for value in values]
        rows.append(cells)
    return table(["data", "picture", "pixels", "karman: mean", "99 %", "worst",
                  "VTK: mean", "99 %", "worst"], rows)


def write_report(options):
    lines = [json.loads(text) for text in options.results.read_text().splitlines()]
    found = summaries(lines)
    loads = [line["load"] for line in lines if "load" in line]
    versions = sorted({line["version"] for line in lines if "version" in line})
    head = [" beside ".join(["karman", *(f"VTK {v}" for v in versions)]) + ".",
            f"{machine()}."]
    if loads:
        head.append(f"Load average meanwhile: {min(loads):.1f} to {max(loads):.1f}.")
    text = [
        " ".join(head), "",
        "Times, medians; ÷ is VTK over karman:", "", *time_table(found), "",
        "Other mappers, with matched opacity; ÷ is the peer over karman:", "",
        *peer_table(found), "",
        "Batch jobs, from the start of the program to the last PNG:", "",
        *batch_table(lines), "",
        "karman alone; crossings are those of frames with a new view:", "",
        *karman_table(found), "",
        "Memory, all of the process at its peak:", "", *memory_table(found), "",
        "Differences from the reference, of 255, in 8-bit pictures:", "",
        *difference_table(lines), ""]
    options.out.write_text("\n".join(text))
    print("\n".join(text), flush=True)


# ---- The command line ----------------------------------------------------------------


def words(text):
    return text.split(",")


def numbers(text):
    return [int(word) for word in words(text)]


def sides(text):
    return [int(word) if word.isdigit() else word for word in words(text)]


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    add("--sizes", type=words, default=words("combustor,small,1M"),
        help=f"of combustor, {', '.join(GRIDS)} (combustor,small,1M)")
    add("--sides", type=sides, default=[1024],
        help="of pictures: 512,1024,2048, or 1024x768 (1024)")
    add("--threads", type=numbers, default=[1, 2], help="(1,2)")
    add("--rounds", type=int, default=3)
    add("--views", type=int, default=5, help="frames with a new view, a round (5)")
    add("--angle", type=float, default=3.0, help="degrees from view to view (3)")
    add("--still", type=int, default=2, help="frames with nothing changed (2)")
    add("--points", type=int, default=64,
        help="reference pixels along a side; 0: do not compare pictures (64)")
    add("--programs", type=words, default=["karman", "VTK"],
        help="of karman, VTK, projected, resampled, batch (karman,VTK)")
    add("--steps", type=int, default=20, help="frames of a batch job (20)")
    add("--integrator", default="vtkUnstructuredGridPreIntegration")
    add("--limit", type=float, default=300.0, help="seconds for a process (300)")
    add("--data", type=pathlib.Path, metavar="FOLDER",
        default=os.environ.get("KARMAN_TEST_DATA",
                               pathlib.Path(__file__).parents[3] / "shared/data"),
        help="where comb.h5 and comb-view.json are (KARMAN_TEST_DATA)")
    add("--work", type=pathlib.Path, metavar="FOLDER",
        help="for data and pictures (beside OUT: peer_vtk)")
    add("--out", type=pathlib.Path, default=pathlib.Path("peer_vtk.md"))
    add("--results", type=pathlib.Path, help="(OUT with the ending .jsonl)")
    add("--report", action="store_true", help="measure nothing: only write the tables")
    add("--draw", type=pathlib.Path, help=argparse.SUPPRESS)
    add("--picture", type=pathlib.Path, help=argparse.SUPPRESS)
    add("--mapper", default="VTK", help=argparse.SUPPRESS)
    add("--like", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.sizes) - set(GRIDS) - {"combustor"}
    if unknown:
        parser.error(f"--sizes: there is no {', '.join(sorted(unknown))}")
    options.units = {}
    options.data = pathlib.Path(options.data).resolve()
    options.build = options.build.resolve()
    options.work = (options.work or options.out.parent / "peer_vtk").resolve()
    options.results = options.results or options.out.with_suffix(".jsonl")
    return options


def check_tools(options):
    if not (options.build / "tests/bench/bench_frames").exists():
        sys.exit(f"{options.build}: bench_frames is not built there, name a build folder "
                 "with --build")
    if "batch" in options.programs and not shutil.which("pvbatch"):
        print("skipped: batch jobs, pvbatch is not installed (paraview, python3-paraview)",
              flush=True)
        options.programs.remove("batch")
    if not set(options.programs) & {*MAPPERS, "batch"}:
        return
    probe = subprocess.run([sys.executable, "-c", "import vtk, h5py"], check=False,
                           capture_output=True)
    if probe.returncode != 0:
        sys.exit(f"{sys.executable} has no vtk and h5py: install python3-vtk9 and "
                 "python3-h5py and run this with /usr/bin/python3")
    if not os.environ.get("DISPLAY") and not shutil.which("xvfb-run"):
        sys.exit("there is no display and no xvfb-run: install xvfb and xauth")


def main():
    options = parse_options()
    if options.draw:
        return draw_with_vtk(options)
    if not options.report:
        check_tools(options)
        options.work.mkdir(parents=True, exist_ok=True)
        options.results.write_text("")
        for name in options.sizes:
            for side in options.sides if is_there(options, name) else []:
                print(f"{name}, {label_of(side)}", flush=True)
                measure_case(options, (name, side))
    return write_report(options)


if __name__ == "__main__":
    sys.exit(main())
