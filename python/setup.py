"""Wheels. With KARMAN_LIBRARY=PATH a wheel carries that library, and is for its platform alone."""
import os
import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

LIBRARY = os.environ.get("KARMAN_LIBRARY")


class Build(build_py):
    """Puts the library beside the modules."""

    def run(self):
        super().run()
        if LIBRARY:
            folder = pathlib.Path(self.build_lib, "karman", "lib")
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(LIBRARY, folder / "libkarman.so.0")


class Wheel(bdist_wheel):
    """Any Python 3; one platform, if the library is there."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not LIBRARY

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2] if LIBRARY else "any")


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel})
