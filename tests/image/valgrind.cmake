# One rank under valgrind; pointless beside the sanitizers.
if(NOT KARMAN_SANITIZE)
  add_test(NAME image-valgrind
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/valgrind.sh $<TARGET_FILE:karman-program>
      ${dataset_folder}/karman.h5 ${CMAKE_CURRENT_BINARY_DIR}/valgrind
      ${CMAKE_CURRENT_SOURCE_DIR}/valgrind.supp)
  set_tests_properties(image-valgrind PROPERTIES
    LABELS image TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77 FIXTURES_REQUIRED dataset-karman
    ENVIRONMENT "OMP_NUM_THREADS=1;UCX_TLS=posix,self")
endif()
