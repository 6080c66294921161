# Boxes by cost.
add_executable(test_box_balancer test_box_balancer.c)
target_link_libraries(test_box_balancer PRIVATE karman_test_support karman_options karman_session karman_frame ${KARMAN_PARTS}
  MPI::MPI_C m)
set(loads_folder ${PROJECT_BINARY_DIR}/tests/image/box-balancer)
file(MAKE_DIRECTORY ${loads_folder})
karman_mpi_test(image-box-balancer LABEL image RANKS 2 5
  COMMAND $<TARGET_FILE:test_box_balancer> ${dataset_folder}/karman-steps.h5 ${loads_folder})
foreach(ranks 2 5)
  set_tests_properties(image-box-balancer-${ranks} PROPERTIES
    FIXTURES_REQUIRED dataset-karman-steps)
endforeach()
