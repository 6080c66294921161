# The fast renderer compared with known answers, with the reference renderer and with trusted pixels
# of real data.
set(KARMAN_TEST_DATA "${PROJECT_SOURCE_DIR}/../shared/data" CACHE PATH
  "Folder with comb.h5 and comb-view.json; tests that need them are skipped without")

# karman_image_test(NAME COMMAND cmd…): a test of pictures on one rank. Exit code 77: its data are
# missing.
function(karman_image_test name)
  cmake_parse_arguments(ARG "" "" "COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_COMMAND})
  set_tests_properties(${name} PROPERTIES
    LABELS image TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT};OMP_NUM_THREADS=2")
endfunction()

add_executable(test_reference_analytic
  test_reference_analytic.c ${PROJECT_SOURCE_DIR}/tests/unit/render/test_grid.c)
target_link_libraries(test_reference_analytic
  PRIVATE karman_render karman_grid karman_base karman_options PkgConfig::CMOCKA m)
karman_image_test(image-analytic COMMAND test_reference_analytic)

add_executable(test_reference_combustor test_reference_combustor.c)
target_link_libraries(test_reference_combustor
  PRIVATE karman_reference karman_base karman_options)
karman_image_test(image-reference-combustor
  COMMAND test_reference_combustor
    ${KARMAN_TEST_DATA}/comb-view.json ${KARMAN_TEST_DATA}/comb.h5)

# Generated data sets in the build folder, as ctest fixtures with the names dataset-NAME.
set(KARMAN_TEST_DATASETS
  karman annulus warped-box two-blocks pole boundary-layer iblank-sphere)
set(dataset_folder ${PROJECT_BINARY_DIR}/tests/image/datasets)
file(MAKE_DIRECTORY ${dataset_folder})
foreach(dataset ${KARMAN_TEST_DATASETS})
  add_test(NAME dataset-${dataset}
    COMMAND karman-dataset ${dataset} --steps 1 --output ${dataset_folder}/${dataset}.h5)
  set_tests_properties(dataset-${dataset} PROPERTIES
    LABELS image TIMEOUT ${KARMAN_TIMEOUT} FIXTURES_SETUP dataset-${dataset}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
endforeach()

add_executable(test_reference_image test_reference.c test_reference_fast.c)
target_link_libraries(test_reference_image
  PRIVATE karman_reference karman_render karman_io karman_parallel karman_grid karman_base
    karman_options MPI::MPI_C m)
# Sanitizers slow rendering down more than tenfold, so tests render fewer pixels with them, here and
# below.
target_compile_definitions(test_reference_image
  PRIVATE REFERENCE_STRIDE=$<IF:$<BOOL:${KARMAN_SANITIZE}>,8,3>)
foreach(dataset ${KARMAN_TEST_DATASETS})
  karman_image_test(image-reference-${dataset}
    COMMAND test_reference_image ${dataset} ${dataset_folder}/${dataset}.h5)
  set_tests_properties(image-reference-${dataset} PROPERTIES
    FIXTURES_REQUIRED dataset-${dataset})
endforeach()

add_executable(test_combustor test_combustor.c test_reference_fast.c)
target_link_libraries(test_combustor
  PRIVATE karman_reference karman_render karman_io karman_parallel karman_grid karman_base
    karman_options MPI::MPI_C m)
karman_image_test(image-combustor
  COMMAND test_combustor ${PROJECT_SOURCE_DIR}/configs/combustor.yaml
    ${KARMAN_TEST_DATA}/comb-view.json ${KARMAN_TEST_DATA}/comb.h5
    $<IF:$<BOOL:${KARMAN_SANITIZE}>,512,1024>)
