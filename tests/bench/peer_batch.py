"""A batch job of ParaView: draws a volume or an isosurface at each step of an XDMF file.
peer_vtk.py runs it:

    pvbatch tests/bench/peer_batch.py JOB.json

The job has the paths `data` and `frames` (with %04d), `config` as karman reads it, and
`unit`, the length over which the opacity holds.
"""

import json
import math
import sys

from paraview import simple


def colour(source, view, field, config, unit):
    layer = config["layers"][0]["volume"]
    shown = simple.Show(source, view)
    simple.ColorBy(shown, ("POINTS", field))
    colors = simple.GetColorTransferFunction(field)
    colors.ColorSpace = "RGB"
    colors.RGBPoints = [number for point in layer["colors"] for number in point]
    opacity = simple.GetOpacityTransferFunction(field)
    opacity.Points = [number for at, extinction in layer["extinction"]
                      for number in (at, 1.0 - math.exp(-extinction), 0.5, 0.0)]
    shown.ScalarOpacityUnitDistance = unit
    shown.SetRepresentationType("Volume")


def look(view, config):
    image, eye = config["image"], config["camera"]
    view.ViewSize = [image["width"], image["height"]]
    view.UseColorPaletteForBackground = 0
    view.Background = image["background"]
    view.OrientationAxesVisibility = 0
    view.CameraPosition, view.CameraFocalPoint = eye["position"], eye["look_at"]
    view.CameraViewUp, view.CameraViewAngle = eye["up"], eye["fov"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    config = job["config"]
    field = config["layers"][0]["volume"]["field"]
    reader = simple.XDMFReader(FileNames=[job["data"]])
    view = simple.CreateRenderView()
    look(view, config)
    colour(simple.MergeBlocks(reader), view, field, config, job["unit"])
    for number, time in enumerate(reader.TimestepValues):
        view.ViewTime = time
        simple.SaveScreenshot(job["frames"] % number, view)


main()
