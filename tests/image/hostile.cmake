# Files and surroundings that are out to do harm.
add_executable(make_hostile make_hostile.c hostile_filter.c)
target_link_libraries(make_hostile PRIVATE karman_options PkgConfig::HDF5 MPI::MPI_C)
add_library(hostile_plugin MODULE hostile_filter.c)
target_link_libraries(hostile_plugin PRIVATE karman_options PkgConfig::HDF5 MPI::MPI_C)
set_target_properties(hostile_plugin PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/plugins)
add_test(NAME image-hostile
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/hostile.sh $<TARGET_FILE:karman-program>
    $<TARGET_FILE:make_hostile> ${CMAKE_CURRENT_BINARY_DIR}/hostile
    ${CMAKE_CURRENT_BINARY_DIR}/plugins)
set_tests_properties(image-hostile PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
