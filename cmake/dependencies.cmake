# The libraries that karman is built on. quickstart.sh has the names of Debian's packages.

find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
if(KARMAN_TESTS)
  pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
  if(NOT CMOCKA_FOUND AND NOT KARMAN_TESTS STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_TESTS=${KARMAN_TESTS} needs cmocka (Debian: libcmocka-dev), and pkg-config does "
      "not find it")
  elseif(NOT CMOCKA_FOUND)
    message(STATUS "Tests: none, there is no cmocka")
    set(KARMAN_TESTS OFF)
  endif()
endif()

# cairo writes on pictures; without it they have no scalar bars, labels and axes.
set(KARMAN_HAS_CAIRO OFF)
if(KARMAN_TEXT)
  pkg_check_modules(CAIRO IMPORTED_TARGET cairo)
  set(KARMAN_HAS_CAIRO ${CAIRO_FOUND})
  if(NOT CAIRO_FOUND AND NOT KARMAN_TEXT STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_TEXT=${KARMAN_TEXT} needs cairo (Debian: libcairo2-dev), and "
      "pkg-config does not find it")
  endif()
endif()
if(KARMAN_HAS_CAIRO)
  message(STATUS "Scalar bars, labels and axes: cairo ${CAIRO_VERSION}")
else()
  message(STATUS "Scalar bars, labels and axes: none, there is no cairo (KARMAN_TEXT=${KARMAN_TEXT})")
endif()

# The page of karman collectives computes in the browser; without clang and LLVM's linker it has the
# schedule alone that it was made for.
set(KARMAN_HAS_WASM OFF)
if(KARMAN_WASM)
  find_program(KARMAN_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14)
  find_program(KARMAN_WASM_LD NAMES wasm-ld wasm-ld-19 wasm-ld-18 wasm-ld-17 wasm-ld-16 wasm-ld-15 wasm-ld-14)
  if(KARMAN_CLANG AND KARMAN_WASM_LD)
    set(KARMAN_HAS_WASM ON)
  elseif(NOT KARMAN_WASM STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_WASM=${KARMAN_WASM} needs clang and wasm-ld (Debian: clang, lld), and "
      "they are not found")
  endif()
endif()
if(KARMAN_HAS_WASM)
  message(STATUS "Collectives in the browser: ${KARMAN_CLANG}, ${KARMAN_WASM_LD}")
else()
  message(STATUS "Collectives in the browser: none, there is no clang with wasm-ld (KARMAN_WASM=${KARMAN_WASM})")
endif()

if(KARMAN_MPI)
  include(cmake/mpi.cmake)
  pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
  pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
  pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)

  # libmicrohttpd serves the page of karman live; without it, karman is built without that command.
  set(KARMAN_HAS_MICROHTTPD OFF)
  if(KARMAN_LIVE)
    pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd>=0.9.74)
    set(KARMAN_HAS_MICROHTTPD ${MICROHTTPD_FOUND})
    if(NOT MICROHTTPD_FOUND AND NOT KARMAN_LIVE STREQUAL "AUTO")
      message(FATAL_ERROR "KARMAN_LIVE=${KARMAN_LIVE} needs libmicrohttpd 0.9.74 (Debian: "
        "libmicrohttpd-dev), and pkg-config does not find it")
    endif()
  endif()
  if(KARMAN_HAS_MICROHTTPD)
    message(STATUS "karman live: libmicrohttpd ${MICROHTTPD_VERSION}")
  else()
    message(STATUS "karman live: none, there is no libmicrohttpd (KARMAN_LIVE=${KARMAN_LIVE})")
  endif()

  # libjpeg makes the moving pictures of karman view; without it, they are PNG, too.
  pkg_check_modules(JPEG IMPORTED_TARGET libjpeg)
  set(KARMAN_HAS_JPEG ${JPEG_FOUND})
  if(NOT JPEG_FOUND)
    message(STATUS "karman view: there is no libjpeg (Debian: libjpeg62-turbo-dev), so moving pictures are PNG")
  endif()

  # libxml2 reads XML files of VTK and XDMF; without it they are refused.
  set(KARMAN_HAS_LIBXML2 OFF)
  if(KARMAN_XML)
    pkg_check_modules(LIBXML2 IMPORTED_TARGET libxml-2.0)
    set(KARMAN_HAS_LIBXML2 ${LIBXML2_FOUND})
    if(NOT LIBXML2_FOUND AND NOT KARMAN_XML STREQUAL "AUTO")
      message(FATAL_ERROR "KARMAN_XML=${KARMAN_XML} needs libxml2 (Debian: libxml2-dev), and "
        "pkg-config does not find it")
    endif()
  endif()
  if(KARMAN_HAS_LIBXML2)
    message(STATUS "XML files of VTK and XDMF: libxml2 ${LIBXML2_VERSION}")
  else()
    message(STATUS "XML files of VTK and XDMF: none, there is no libxml2 (KARMAN_XML=${KARMAN_XML})")
  endif()

  # Compressors of VTK's XML files, beside zlib; files that need a missing one are refused.
  foreach(library "LZ4 liblz4" "LZMA liblzma")
    separate_arguments(library)
    list(GET library 0 name)
    list(GET library 1 package)
    pkg_check_modules(${name} IMPORTED_TARGET ${package})
    set(KARMAN_HAS_${name} OFF)
    if(KARMAN_HAS_LIBXML2 AND ${name}_FOUND)
      set(KARMAN_HAS_${name} ON)
    endif()
    message(STATUS "XML files of VTK that ${package} compresses: ${KARMAN_HAS_${name}}")
  endforeach()

  # Tests run more ranks than the machine has cores. Shared memory without the kernel's copies is
  # the fastest transport there, and waiting threads must not spin. Tests start programs by the
  # hundred: a start takes two thirds of the time if hwloc does not look for devices, which karman
  # does not use. MPI yields the processor while it waits.
  set(KARMAN_MPI_ENVIRONMENT "UCX_TLS=posix,self" "OMP_WAIT_POLICY=passive"
    "HWLOC_COMPONENTS=-linuxio,-pci" "LD_PRELOAD=${PROJECT_BINARY_DIR}/libkarman-yield.so")
  if(KARMAN_HAS_OPEN_MPI)
    # Open MPI refuses root, more ranks than cores, and in containers the kernel's copies. It speaks of ranks that fail.
    list(APPEND KARMAN_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
      OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
      OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_orte_execute_quiet=1)
  endif()
  if(KARMAN_SANITIZE STREQUAL "thread")
    list(APPEND KARMAN_MPI_ENVIRONMENT "OMP_NUM_THREADS=2")
  else()
    list(APPEND KARMAN_MPI_ENVIRONMENT "OMP_NUM_THREADS=1")
  endif()
  if(KARMAN_SANITIZE)
    # MPICH, UCX and HDF5 keep memory to the end of the process.
    list(APPEND KARMAN_MPI_ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0")
  endif()
endif()
