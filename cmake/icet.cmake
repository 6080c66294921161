# IceT, the library that the compositing benchmark compares with. Optional: nothing else in karman
# needs it, and without it the benchmark measures karman alone.
#
# -DKARMAN_ICET=DIRECTORY names the directory where it is installed, or where Debian's paraview-dev
# and the package of its libraries are unpacked. Without that, the system's directories are
# searched. IceT's core needs no MPI. Defines the target icet_core if IceT is found.
set(KARMAN_ICET "" CACHE PATH "Directory with IceT, for the benchmark of compositing")

set(icet_roots ${KARMAN_ICET}/usr ${KARMAN_ICET})
set(icet_versions 5.13 5.12 5.11 5.10 5.9)
set(icet_headers include)
set(icet_libraries IceTCore)
foreach(version ${icet_versions})
  list(APPEND icet_headers include/paraview-${version}/vtkicet/src/include)
  list(APPEND icet_libraries vtkIceTCore-pv${version})
endforeach()

# Search again if the user names another directory.
if(NOT "${KARMAN_ICET}" STREQUAL "${KARMAN_ICET_SEARCHED}")
  unset(KARMAN_ICET_INCLUDE CACHE)
  unset(KARMAN_ICET_LIBRARY CACHE)
endif()
set(KARMAN_ICET_SEARCHED "${KARMAN_ICET}" CACHE INTERNAL "")

find_path(KARMAN_ICET_INCLUDE IceT.h HINTS ${icet_roots} PATH_SUFFIXES ${icet_headers})
find_library(KARMAN_ICET_LIBRARY NAMES ${icet_libraries} HINTS ${icet_roots}
  PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
mark_as_advanced(KARMAN_ICET_INCLUDE KARMAN_ICET_LIBRARY)

if(KARMAN_ICET_INCLUDE AND KARMAN_ICET_LIBRARY)
  add_library(icet_core UNKNOWN IMPORTED)
  set_target_properties(icet_core PROPERTIES IMPORTED_LOCATION ${KARMAN_ICET_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${KARMAN_ICET_INCLUDE})
elseif(KARMAN_ICET)
  message(FATAL_ERROR "There is no IceT in KARMAN_ICET=${KARMAN_ICET}: name a directory that has "
    "IceT.h and its core library below include and lib, or leave it out")
endif()
