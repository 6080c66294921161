# Missing values, end to end: the same counts on any number of ranks.
add_executable(make_missing make_missing.c)
target_link_libraries(make_missing PRIVATE karman_options PkgConfig::HDF5)
foreach(ranks 1 8)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-missing-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/missing.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:make_missing>
      ${CMAKE_CURRENT_BINARY_DIR}/missing-${ranks} ${launcher})
  set_tests_properties(image-missing-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-missing-${ranks} ${ranks})
endforeach()
