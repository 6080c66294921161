# Boxes by cost.
add_executable(test_space_loads test_space_loads.c)
target_link_libraries(test_space_loads PRIVATE karman_test_support karman_options karman_app ${KARMAN_PARTS}
  MPI::MPI_C m)
set(loads_folder ${PROJECT_BINARY_DIR}/tests/image/space-loads)
file(MAKE_DIRECTORY ${loads_folder})
karman_mpi_test(image-space-loads LABEL image RANKS 2 5
  COMMAND $<TARGET_FILE:test_space_loads> ${dataset_folder}/karman-steps.h5 ${loads_folder})
foreach(ranks 2 5)
  set_tests_properties(image-space-loads-${ranks} PROPERTIES
    FIXTURES_REQUIRED dataset-karman-steps)
endforeach()
