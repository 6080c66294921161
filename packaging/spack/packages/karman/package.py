import pathlib

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # Spack before 1.0
    pass


class Karman(CMakePackage):
    """Exact pictures of curvilinear CFD grids on CPUs, the same on any number of ranks."""

    git = str(pathlib.Path(__file__).resolve().parents[4])  # the checkout with this file

    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("text", default=True, description="Scalar bars, labels, axes and figures, with cairo")
    variant("live", default=True, description="Pages of running programs, with libmicrohttpd")
    variant("xml", default=True, description="XML files of VTK and XDMF, with libxml2")
    variant("fortran", default=True, description="The Fortran module")
    variant("python", default=False, description="The Python package")
    variant("messages", default=True, description="The laboratory of messages")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("mpi@3:")
    depends_on("hdf5@1.10:+mpi")
    depends_on("libpng@1.6:")
    depends_on("zlib-api")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("cairo+png+pdf+svg+fc+ft", when="+text")
    depends_on("libmicrohttpd@0.9.74:", when="+live")
    depends_on("libjpeg-turbo", when="+live")
    depends_on("libxml2", when="+xml")
    depends_on("lz4", when="+xml")
    depends_on("xz", when="+xml")
    depends_on("cmocka", type="test")
    extends("python@3.9:", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    def cmake_args(self):
        args = [
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("HDF5_ROOT", self.spec["hdf5"].prefix),
            self.define("KARMAN_TESTS", self.run_tests),
            self.define("KARMAN_WASM", False),
        ]
        for name in ["text", "live", "xml", "fortran", "messages"]:
            args.append(self.define_from_variant("KARMAN_" + name.upper(), name))
        if self.spec.satisfies("+python"):
            args.append(self.define("KARMAN_PYTHON_DIR", python_platlib))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.karman)("doctor")
