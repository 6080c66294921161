# Hard grids: lost rays, known answers, the reference renderer, and the promise.
set(hard_datasets ball c-grid o-grid orientations wall far inverted mismatched overset
  nan-field flat vanes vane-ring)
foreach(dataset ${hard_datasets})
  add_test(NAME dataset-${dataset}
    COMMAND karman-dataset ${dataset} --output ${dataset_folder}/${dataset}.h5)
  set_tests_properties(dataset-${dataset} PROPERTIES
    LABELS image TIMEOUT ${KARMAN_TIMEOUT} FIXTURES_SETUP dataset-${dataset}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()
list(TRANSFORM hard_datasets PREPEND dataset- OUTPUT_VARIABLE hard_fixtures)

# Shared by the tests.
add_library(karman_hard STATIC hard.c hard_chord.c test_reference_fast.c)
target_link_libraries(karman_hard
  PUBLIC karman_test_support karman_reference karman_render karman_io karman_parallel karman_grid karman_base
    karman_datasets PkgConfig::CMOCKA MPI::MPI_C m
  PRIVATE karman_options)

add_executable(test_hard_grids test_hard_grids.c)
target_link_libraries(test_hard_grids PRIVATE karman_hard karman_options)
# Sanitizers slow rendering down more than tenfold, so tests render less with them, here and below.
target_compile_definitions(test_hard_grids
  PRIVATE HARD_CELLS=$<IF:$<BOOL:${KARMAN_SANITIZE}>,1,4>)
karman_image_test(image-hard-grids
  COMMAND test_hard_grids ${dataset_folder})
set_tests_properties(image-hard-grids PROPERTIES
  FIXTURES_REQUIRED "${dataset_fixtures};${hard_fixtures}")

set(hard_folder ${PROJECT_BINARY_DIR}/tests/image/hard)
file(MAKE_DIRECTORY ${hard_folder})
add_executable(test_hard_answers test_hard_answers.c)
target_link_libraries(test_hard_answers PRIVATE karman_hard karman_options)
karman_image_test(image-hard-answers
  COMMAND test_hard_answers ${dataset_folder} ${hard_folder})
set_tests_properties(image-hard-answers PROPERTIES
  FIXTURES_REQUIRED "${dataset_fixtures};${hard_fixtures}")

add_executable(test_hard_reference test_hard_reference.c)
target_link_libraries(test_hard_reference PRIVATE karman_hard karman_options)
target_compile_definitions(test_hard_reference
  PRIVATE HARD_STRIDE=$<IF:$<BOOL:${KARMAN_SANITIZE}>,6,2>)
karman_image_test(image-hard-reference
  COMMAND test_hard_reference ${hard_folder})

# The three interpolations beside five tetrahedra a cell.
find_package(OpenMP REQUIRED COMPONENTS C)
add_executable(test_tetrahedra test_tetrahedra.c versus.c)
target_link_libraries(test_tetrahedra PRIVATE karman_hard karman_options OpenMP::OpenMP_C)
target_compile_definitions(test_tetrahedra
  PRIVATE TETRAHEDRA_STRIDE=$<IF:$<BOOL:${KARMAN_SANITIZE}>,25,7>)
karman_image_test(image-tetrahedra COMMAND test_tetrahedra ${hard_folder})
karman_image_test(image-tetrahedra-combustor
  COMMAND test_tetrahedra ${hard_folder} ${PROJECT_SOURCE_DIR}/configs/combustor.yaml
    ${KARMAN_TEST_DATA}/comb.h5)

add_executable(test_hard_ranks test_hard_ranks.c)
target_link_libraries(test_hard_ranks PRIVATE karman_test_float_image karman_options karman_session karman_frame ${KARMAN_PARTS}
  PkgConfig::JANSSON MPI::MPI_C m)
karman_mpi_test(image-hard-ranks LABEL image RANKS 1 3 5
  COMMAND $<TARGET_FILE:test_hard_ranks> ${dataset_folder} ${hard_folder})
set_tests_properties(image-hard-ranks-1 PROPERTIES
  FIXTURES_REQUIRED "${hard_fixtures}" FIXTURES_SETUP hard-ranks)
foreach(ranks 3 5)
  set_tests_properties(image-hard-ranks-${ranks} PROPERTIES
    FIXTURES_REQUIRED "${hard_fixtures};hard-ranks")
endforeach()

# Properties of overlapping blocks.
add_executable(test_hard_overset test_hard_overset.c)
target_link_libraries(test_hard_overset PRIVATE karman_hard karman_options)
karman_image_test(image-hard-overset COMMAND test_hard_overset ${dataset_folder})
set_tests_properties(image-hard-overset PROPERTIES FIXTURES_REQUIRED "${hard_fixtures}")

add_test(NAME image-hard-program
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/hard.sh $<TARGET_FILE:karman-program> ${dataset_folder}
    ${hard_folder} ${KARMAN_MPIEXEC} -n 3)
set_tests_properties(image-hard-program PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_REQUIRED "${hard_fixtures}" ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
