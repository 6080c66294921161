# The same picture for any number of ranks and threads. The run on one rank leaves its pictures for
# comparison with the others.
add_executable(test_promise test_promise.c)
target_link_libraries(test_promise PRIVATE karman_test_float_image karman_options karman_session karman_frame ${KARMAN_PARTS}
  PkgConfig::PNG MPI::MPI_C m)
target_compile_definitions(test_promise PRIVATE PROMISE_STRIDE=$<IF:$<BOOL:${KARMAN_LONG_TESTS}>,1,2>)
set(promise_folder ${PROJECT_BINARY_DIR}/tests/image/promise)
file(MAKE_DIRECTORY ${promise_folder})
set(promise_ranks 1 2 3 5 8)
karman_mpi_test(image-promise LABEL image RANKS ${promise_ranks}
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${promise_folder})
list(TRANSFORM KARMAN_TEST_DATASETS PREPEND dataset- OUTPUT_VARIABLE dataset_fixtures)
set(promise_fixtures # the last two come from hard.cmake
  "${dataset_fixtures};dataset-overset;dataset-mismatched")
foreach(ranks ${promise_ranks})
  if(ranks EQUAL 1)
    set_tests_properties(image-promise-1 PROPERTIES
      FIXTURES_REQUIRED "${promise_fixtures}" FIXTURES_SETUP promise)
  else()
    set_tests_properties(image-promise-${ranks} PROPERTIES
      FIXTURES_REQUIRED "${promise_fixtures};promise")
  endif()
endforeach()

# The same for all tools.
set(tools_folder ${PROJECT_BINARY_DIR}/tests/image/promise-tools)
file(MAKE_DIRECTORY ${tools_folder})
set(tools_ranks 1 3 8)
karman_mpi_test(image-tools LABEL image RANKS ${tools_ranks}
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${tools_folder} tools)
foreach(ranks ${tools_ranks})
  if(ranks EQUAL 1)
    set_tests_properties(image-tools-1 PROPERTIES
      FIXTURES_REQUIRED "${promise_fixtures}" FIXTURES_SETUP promise-tools)
  else()
    set_tests_properties(image-tools-${ranks} PROPERTIES
      FIXTURES_REQUIRED "${promise_fixtures};promise-tools")
  endif()
endforeach()

# And once more with ranks that draw parts of the picture.
karman_mpi_test(image-screen LABEL image RANKS 2 5
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${promise_folder} screen)
karman_mpi_test(image-screen-tools LABEL image RANKS 3 8
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${tools_folder} tools screen)
set_tests_properties(image-screen-2 image-screen-5 PROPERTIES
  FIXTURES_REQUIRED "${promise_fixtures};promise")
set_tests_properties(image-screen-tools-3 image-screen-tools-8 PROPERTIES
  FIXTURES_REQUIRED "${promise_fixtures};promise-tools")
karman_mpi_test(image-cost LABEL image RANKS 3
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${tools_folder} tools cost)
set_tests_properties(image-cost-3 PROPERTIES
  FIXTURES_REQUIRED "${promise_fixtures};promise-tools")

# And on several nodes, which ranks share with their neighbours or not.
karman_mpi_test(image-nodes LABEL image RANKS 5 8
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${promise_folder} nodes)
karman_mpi_test(image-nodes-dealt LABEL image RANKS 8
  COMMAND $<TARGET_FILE:test_promise> ${dataset_folder} ${tools_folder} tools dealt)
set_tests_properties(image-nodes-5 image-nodes-8 PROPERTIES
  FIXTURES_REQUIRED "${promise_fixtures};promise")
set_tests_properties(image-nodes-dealt-8 PROPERTIES
  FIXTURES_REQUIRED "${promise_fixtures};promise-tools")

# Samples of pixels and formats of pictures, with all algorithms and kinds of distribution.
add_executable(test_samples test_samples.c)
target_link_libraries(test_samples PRIVATE karman_reference karman_test_float_image karman_options karman_session karman_frame ${KARMAN_PARTS}
  PkgConfig::PNG MPI::MPI_C m)
set(samples_folder ${PROJECT_BINARY_DIR}/tests/image/samples)
file(MAKE_DIRECTORY ${samples_folder})
set(samples_ranks ${KARMAN_FEW_RANKS})
karman_mpi_test(image-samples LABEL image RANKS ${samples_ranks}
  COMMAND $<TARGET_FILE:test_samples> ${dataset_folder} ${samples_folder})
karman_mpi_test(image-samples-edges LABEL image RANKS 1
  COMMAND $<TARGET_FILE:test_samples> ${dataset_folder} ${samples_folder} edges)
set_tests_properties(image-samples-1 PROPERTIES
  FIXTURES_REQUIRED dataset-karman FIXTURES_SETUP samples)
set_tests_properties(image-samples-3 image-samples-8 PROPERTIES
  FIXTURES_REQUIRED "dataset-karman;samples")
set(light_folder ${PROJECT_BINARY_DIR}/tests/image/light)
file(MAKE_DIRECTORY ${light_folder})
karman_mpi_test(image-light LABEL image RANKS ${samples_ranks}
  COMMAND $<TARGET_FILE:test_samples> ${dataset_folder} ${light_folder} light)
set_tests_properties(image-light-1 PROPERTIES
  FIXTURES_REQUIRED dataset-karman FIXTURES_SETUP light)
set_tests_properties(image-light-3 image-light-8 PROPERTIES
  FIXTURES_REQUIRED "dataset-karman;light")
set_tests_properties(image-samples-edges-1 PROPERTIES FIXTURES_REQUIRED dataset-karman)
