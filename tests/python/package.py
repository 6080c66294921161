#!/usr/bin/env python3
"""The Python package on one rank, beside the program: pictures, arrays, values, errors.

    package.py PROGRAM DATASET WORK_FOLDER      with the package in PYTHONPATH

DATASET is the program karman-dataset. PROGRAM is karman.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import warnings

import numpy as np

import karman

PROGRAM, DATASET, WORK = sys.argv[1:4]
SMALL = {"size": (120, 80)}


def command(*words):
    subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.DEVNULL)


def rendered(*words):
    """The bytes that karman render writes."""
    command("render", *words, "--set", "image.width=120", "--set", "image.height=80", "--quiet", "-o", "reference.png")
    return pathlib.Path("reference.png").read_bytes()


class Pictures(unittest.TestCase):
    def check(self, options, *words):
        picture = karman.render("wake.h5", **SMALL, **options)
        self.assertEqual(picture.png, rendered("wake.h5", *words))
        return picture

    def test_a_file_draws_what_the_program_draws(self):
        picture = self.check({})
        self.assertEqual((picture.shape, picture.dtype, picture.step), ((80, 120, 4), np.uint8, 2))
        self.assertTrue((picture[..., 3] == 255).all())

    def test_options_are_those_of_the_program(self):
        self.check({"slice": {"z": 1}, "view": "top", "look": "dark"}, "--slice", "z=1", "--view", "top", "--look",
                   "dark")
        self.check({"iso": [0.2, {"pressure": -0.1}], "walls": "pressure", "field": "pressure"}, "--iso", "0.2",
                   "--iso", "pressure=-0.1", "--walls", "pressure", "--field", "pressure")
        self.check({"derive": {"speed": "mag(velocity)"}, "field": "speed", "zoom": 1.5}, "--derive",
                   "speed=mag(velocity)", "--field", "speed", "--zoom", "1.5")

    def test_keys_are_those_of_the_config(self):
        layers = [{"volume": {"field": "pressure", "range": np.array([-1, 0.5])}}]
        self.check({"layers": layers, "camera": {"view": "front"}, "image": {"samples": 1, "background": [1, 1, 1]}},
                   "--set", 'layers=[{"volume": {"field": "pressure", "range": [-1.0, 0.5]}}]', "--set",
                   "camera.view=front", "--set", "image.samples=1", "--set", "image.background=[1, 1, 1]")

    def test_steps_count_from_the_end_too(self):
        first = self.check({"step": 0}, "--set", "data.steps=0")
        self.assertEqual(karman.render("wake.h5", **SMALL, step=-3).png, first.png)

    def test_a_config_file_draws_its_last_step(self):
        config = {"data": {"file": "wake.h5", "steps": "all"}, "image": {"width": 120, "height": 80}, "camera": "auto",
                  "layers": "auto", "output": {"frames": "frame_%d.png"}}
        pathlib.Path("wake.yaml").write_text(json.dumps(config))
        picture = karman.render("wake.yaml")
        self.assertFalse(pathlib.Path("frame_2.png").exists())
        karman.run("wake.yaml")
        self.assertEqual(picture.png, pathlib.Path("frame_2.png").read_bytes())
        self.assertTrue(pathlib.Path("frame_0.png").exists())

    def test_the_config_of_a_picture_draws_it_again(self):
        picture = karman.render("wake.h5", **SMALL, slice="x=2")
        self.assertEqual(karman.render(picture.config).png, picture.png)

    def test_deep_and_transparent_pictures_keep_their_values(self):
        deep = karman.render("wake.h5", **SMALL, image={"bits": 16, "background": "none"})
        self.assertEqual(deep.dtype, np.uint16)
        self.assertTrue((deep[..., 3] == 0).any() and (deep[..., 3] > 0).any())
        flat = karman.render("wake.h5", **SMALL, image={"background": "none"})
        self.assertLessEqual(np.abs(deep.array.astype(float) / 257 - flat.array).max(), 1)

    def test_jupyter_shows_a_picture_and_its_parts(self):
        picture = karman.render("wake.h5", **SMALL)
        self.assertEqual(picture._repr_png_(), picture.png)
        with self.assertRaises(ValueError):
            picture[0, 0] = 0
        half = picture[:, :60].copy()
        half[0, 0] = (1, 2, 3, 4)
        self.assertTrue(half._repr_png_().startswith(b"\x89PNG"))
        self.assertIsNone((half / 2.0)._repr_png_())
        half.save("half.png")
        picture.save("whole.png")
        self.assertEqual(pathlib.Path("whole.png").read_bytes(), picture.png)

    def test_nothing_goes_to_standard_output(self):
        script = "import karman; karman.render('wake.h5', size=(40, 30)); karman.run('wake.yaml')"
        pathlib.Path("wake.yaml").write_text('{"data": {"file": "wake.h5"}, "image": {"width": 40, "height": 30}, '
                                             '"camera": "auto", "layers": "auto", "output": {"frames": "f_%d.png"}}')
        done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with karman.open("wake.h5") as data:
            cls.arrays = {name: data.read(name).astype(np.float32) for name in ["x", "y", "z", *data.fields]}
            cls.picture = data.render(**SMALL)

    def check(self, arrays):
        self.assertTrue((karman.render(arrays, **SMALL).array == self.picture.array).all())

    def test_arrays_draw_what_their_file_draws(self):
        self.check(self.arrays)

    def test_any_memory_order_will_do(self):
        self.check({name: np.asfortranarray(values) for name, values in self.arrays.items()})
        self.check({name: values[::-1][::-1] for name, values in self.arrays.items()})
        self.check({name: values.astype(">f4") for name, values in self.arrays.items()})

    def test_vectors_have_a_last_axis(self):
        vector = np.stack([self.arrays[f"velocity_{c}"] for c in "xyz"], axis=-1)
        self.check({**{name: self.arrays[name] for name in ("x", "y", "z", "pressure")}, "velocity": vector})

    def test_values_may_change_between_pictures(self):
        arrays = {name: values.copy() for name, values in self.arrays.items()}
        with karman.open(arrays) as data:
            first = data.render(**SMALL, field="pressure")
            arrays["pressure"][:] *= -1
            self.assertFalse((data.render(**SMALL, field="pressure").array == first.array).all())
            self.assertAlmostEqual(data.range("pressure")[1], arrays["pressure"].max(), places=5)

    def test_blocks_have_names(self):
        left, right = ({name: values[:, :, at] for name, values in self.arrays.items()}
                       for at in (slice(None, 20), slice(19, None)))
        with karman.open({"left": left, "right": right}) as data:
            self.assertEqual([block.name for block in data.blocks], ["left", "right"])
            self.assertTrue((data.read("pressure", "right") == right["pressure"]).all())

    def test_axes_may_be_lists_and_planes_lack_z(self):
        x, y, z = np.linspace(0, 1, 5), np.linspace(0, 2, 6), np.linspace(0, 3, 7)
        with karman.open({"x": x, "y": y, "z": z, "p": np.zeros((7, 6, 5)), "c": np.ones((6, 5, 4))}) as data:
            self.assertEqual(data.blocks[0].shape, (7, 6, 5))
            self.assertEqual(data.field("c").at, "cells")
            self.assertTrue((data.read("y")[:, :, 0] == y).all())
        plane = {"x": x, "y": y, "p": x * np.ones((6, 1)), "c": np.arange(20.0).reshape(5, 4)}
        with karman.open(plane) as data:
            self.assertEqual(data.read("c").shape, (1, 5, 4))
            self.assertTrue((data.read("c")[0] == plane["c"]).all())
            self.assertEqual(data.range("p"), (0, 1))
            self.assertIn("contour", data.render(**SMALL).config["layers"][0])

    def test_a_dataset_of_xarray_is_like_arrays(self):
        try:
            import xarray
        except ImportError:
            self.skipTest("there is no xarray (Debian: python3-xarray)")
        dims = ("k", "j", "i")
        dataset = xarray.Dataset({name: (dims, self.arrays[name]) for name in self.arrays if name not in "xyz"},
                                 {name: (dims, self.arrays[name]) for name in "xyz"})
        self.check(dataset)
        self.check(dataset.transpose("i", "j", "k").expand_dims("time"))


class Values(unittest.TestCase):
    def test_data_tell_what_they_hold(self):
        with karman.open("wake.h5") as data:
            self.assertEqual([step.number for step in data.steps], [0, 1, 2])
            self.assertEqual(data.blocks, [karman.Block("cylinder", (6, 21, 41))])
            self.assertIn("pressure", data.fields)
            self.assertIn("vorticity_magnitude", data.derived)
            self.assertIn("41 x 21 x 6", repr(data))
            x = data.read("x")
            self.assertEqual(data.bounds[:2], (x.min(), x.max()))
            values = data.read("pressure", "cylinder", step=0)
            self.assertEqual(data.range("pressure", step=0), (values.min(), values.max()))

    def test_points_have_values_of_stored_and_derived_fields(self):
        with karman.open("wake.h5", derive={"twice": "2 * pressure"}) as data:
            at = [[data.read(c)[2, 5, 7] for c in "xyz"], [1e3, 0, 0]]
            found = data.probe(at, ["pressure", "twice"])
            self.assertAlmostEqual(found["pressure"][0], data.read("pressure")[2, 5, 7], places=4)
            self.assertAlmostEqual(found["twice"][0], 2 * found["pressure"][0], places=5)
            self.assertTrue(np.isnan(found["twice"][1]))
            self.assertEqual(list(found["block"]), [0, -1])
            self.assertEqual(data.probe(at[0], "pressure").shape, (1,))
            line = data.line(at[0], (3, 0, 1), 9, "pressure")
            self.assertEqual(line["pressure"][0], found["pressure"][0])
            self.assertEqual(line["x"].shape, (9,))

    def test_integrals_are_those_of_the_program(self):
        with karman.open("wake.h5") as data:
            found = data.integrate(fields="pressure", step=0)
            self.assertTrue(any("pressure" in name for name in found), found)
            with self.assertRaisesRegex(karman.Error, "nix"):
                data.integrate(fields="nix")


class Errors(unittest.TestCase):
    def check(self, kind, sentence, *arguments, **options):
        with self.assertRaisesRegex(kind, sentence):
            karman.render(*arguments, **options)

    def test_failures_are_exceptions_with_the_sentences_of_the_program(self):
        for options, words in (({"slice": "q=2"}, ["--slice", "q=2"]), ({"layer": []}, ["--set", "layer=[]"]),
                               ({"field": "nix"}, ["--field", "nix"]), ({"look": "gray"}, ["--look", "gray"])):
            done = subprocess.run([PROGRAM, "render", "wake.h5", *words], capture_output=True, text=True)
            with self.assertRaises(karman.Error) as caught:
                karman.render("wake.h5", **options)
            self.assertEqual(f"karman: error: {caught.exception}\n", done.stderr)
        self.check(karman.InputError, "No such file", "nix.h5")
        self.check(karman.UsageError, "save", "wake.h5", output={"frames": "a.png"})
        self.assertTrue(issubclass(karman.InputError, OSError) and issubclass(karman.UsageError, ValueError))

    def test_wrong_arrays_say_what_is_wrong(self):
        ones = np.ones((3, 4, 5))
        good = {"x": ones, "y": ones, "z": ones}
        self.check(karman.UsageError, r"'p' has the shape \(3, 4\)", {**good, "p": ones[..., 0]})
        self.check(karman.UsageError, "needs its coordinates", {"x": ones})
        self.check(karman.UsageError, "needs z", {"x": ones, "y": ones})
        self.check(karman.UsageError, "real numbers", {**good, "p": ones * 1j})
        self.check(karman.UsageError, "holds no data", 7)
        self.check(karman.UsageError, "arrays are one step", {**good, "p": ones}, step=3)

    def test_data_that_nobody_closes_end_with_the_interpreter(self):
        script = ("import karman; a = karman.open('wake.h5'); a = karman.open('wake.h5'); "
                  "b = karman.open({'x': range(3), 'y': range(3)}); print(b.blocks[0].shape)")
        done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("(1, 3, 3)\n", ""))

    def test_after_a_failure_the_next_picture_succeeds(self):
        with karman.open("wake.h5") as data:
            with self.assertRaises(karman.InputError):
                data.render(field="nix")
            self.assertEqual(data.render(**SMALL).shape, (80, 120, 4))
            with self.assertRaises(karman.UsageError):
                data.read("pressure", 3)
            with self.assertRaises(karman.InputError):
                data.read("vorticity_magnitude")

    def test_warnings_are_those_of_python(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            karman.render("wake.h5", **SMALL, camera={"position": [100, 0, 0], "look_at": [200, 0, 0], "up": [0, 0, 1]})
        self.assertTrue(any(one.category is karman.Warning and "nothing but background" in str(one.message)
                            for one in caught), caught)
        self.assertEqual({pathlib.Path(one.filename).name for one in caught}, {"package.py"})


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    subprocess.run([DATASET, "karman", "-n", "3", "-s", "41,21,6", "-o", "wake.h5"], check=True)
    os.environ["KARMAN_PROGRAM"] = PROGRAM
    unittest.main(argv=sys.argv[:1])
