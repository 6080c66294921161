# The Fortran module karman, if there are a Fortran compiler and MPI's module for it. The sanitizers
# of the C compiler do not work with it.
set(KARMAN_FORTRAN AUTO CACHE STRING
  "Build the Fortran module karman: ON, OFF, or AUTO, where there is a Fortran compiler")
set(KARMAN_HAS_FORTRAN OFF)
if(KARMAN_MPI AND NOT KARMAN_FORTRAN STREQUAL OFF AND NOT KARMAN_SANITIZE)
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    if(NOT MPI_Fortran_COMPILER AND MPI_C_COMPILER MATCHES "mpicc[^/]*$")
      # The Fortran compiler of the MPI that C uses: both must be the same MPI.
      string(REGEX REPLACE "mpicc([^/]*)$" "mpifort\\1" KARMAN_MPIFORT "${MPI_C_COMPILER}")
      set(MPI_Fortran_COMPILER ${KARMAN_MPIFORT} CACHE FILEPATH "MPI's Fortran compiler")
    endif()
    find_package(MPI COMPONENTS Fortran)
  endif()
  if(CMAKE_Fortran_COMPILER AND MPI_Fortran_FOUND)
    set(KARMAN_HAS_FORTRAN ON)
  elseif(KARMAN_FORTRAN STREQUAL ON)
    message(FATAL_ERROR "KARMAN_FORTRAN=ON: there is no Fortran compiler with MPI")
  endif()
endif()
