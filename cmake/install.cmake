# cmake --install: the programs, configs, colour maps, libkarman, man pages, completion and docs.
#
# The target karman-installation builds all that is installed, and no tests: quickstart.sh builds it.

include(CMakePackageConfigHelpers)

set(KARMAN_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/karman)

add_custom_target(karman-installation
  DEPENDS karman-program karman-dataset karman-solver karman karman_yield)
install(TARGETS karman-program karman-dataset karman-solver RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS karman EXPORT karman
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS karman_yield LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/karman)
if(KARMAN_HAS_FORTRAN)
  add_dependencies(karman-installation karman_fortran)
  # Only the compiler that wrote a module can read it. The source is installed for other compilers.
  install(TARGETS karman_fortran EXPORT karman ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/fortran/karman.mod DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(FILES library/karman.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/karman)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/karman
  FILES_MATCHING PATTERN "*.c" PATTERN "*.f90" PATTERN "*.yaml" PATTERN "*.md" PATTERN "*.ipynb" PATTERN solver EXCLUDE)
# A project of its own, to be copied.
install(DIRECTORY examples/solver DESTINATION ${CMAKE_INSTALL_DATADIR}/karman/examples)
file(RELATIVE_PATH path ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(karman-solver PROPERTIES INSTALL_RPATH "$ORIGIN/${path}") # libkarman
install(EXPORT karman NAMESPACE karman:: DESTINATION ${KARMAN_PACKAGE_DIR}
  FILE karmanTargets.cmake)
install(DIRECTORY configs/colormaps DESTINATION ${CMAKE_INSTALL_DATADIR}/karman)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/karman
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.py" PATTERN "*.sh" PATTERN colormaps EXCLUDE)

configure_package_config_file(cmake/karmanConfig.cmake.in
  ${PROJECT_BINARY_DIR}/karmanConfig.cmake INSTALL_DESTINATION ${KARMAN_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/karmanConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/karmanConfig.cmake
  ${PROJECT_BINARY_DIR}/karmanConfigVersion.cmake DESTINATION ${KARMAN_PACKAGE_DIR})

# Relative, so that cmake --install --prefix may install into any directory.
file(RELATIVE_PATH KARMAN_PC_TO_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# The MPI that libkarman was built with. Some MPIs have no file of pkg-config.
list(JOIN MPI_C_LIBRARIES " " KARMAN_PC_MPI_LIBRARIES)
list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE KARMAN_PC_MPI_FLAGS)
list(JOIN KARMAN_PC_MPI_FLAGS " " KARMAN_PC_MPI_FLAGS)
configure_file(cmake/karman.pc.in ${PROJECT_BINARY_DIR}/karman.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/karman.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(cmake/manual.cmake)

# The Python package finds the library in the prefix above it. Debian's Python looks here below /usr.
set(KARMAN_PYTHON_DIR lib/python3/dist-packages CACHE STRING "The folder of Python packages, below the prefix or absolute")
install(DIRECTORY python/karman DESTINATION ${KARMAN_PYTHON_DIR}
  FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN lib EXCLUDE)

# The docs keep the folders of the source tree, so that their links work.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(folder configs examples)
  file(RELATIVE_PATH path ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/karman/${folder})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
  file(CREATE_LINK ${path} ${PROJECT_BINARY_DIR}/links/${folder} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/links/${folder} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
