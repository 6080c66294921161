# Fields in cells.
add_executable(test_cell_fields test_cell_fields.c)
target_link_libraries(test_cell_fields PRIVATE karman_test_io karman_session karman_frame ${KARMAN_PARTS} PkgConfig::PNG m)
set(cells_folder ${PROJECT_BINARY_DIR}/tests/image/cells)
file(MAKE_DIRECTORY ${cells_folder})
karman_mpi_test(image-cells LABEL image RANKS 1 3 COMMAND $<TARGET_FILE:test_cell_fields> ${cells_folder})
set_tests_properties(image-cells-1 image-cells-3 PROPERTIES RESOURCE_LOCK image-cells)

# A real file of zones that match.
if(EXISTS ${KARMAN_TEST_DATA}/public/cgns-adf/sqnz_s.adf.cgns)
  add_executable(test_cell_zones test_cell_zones.c)
  target_link_libraries(test_cell_zones PRIVATE karman_test_io karman_session karman_frame ${KARMAN_PARTS} PkgConfig::PNG m)
  set(zones_folder ${PROJECT_BINARY_DIR}/tests/image/zones)
  file(MAKE_DIRECTORY ${zones_folder})
  karman_mpi_test(image-zones LABEL image RANKS 1 3 COMMAND $<TARGET_FILE:test_cell_zones>
    ${KARMAN_TEST_DATA}/public/cgns-adf/sqnz_s.adf.cgns ${zones_folder})
  set_tests_properties(image-zones-1 image-zones-3 PROPERTIES RESOURCE_LOCK image-zones)
else()
  karman_skipped_test(image-zones "KARMAN_TEST_DATA has no public/cgns-adf/sqnz_s.adf.cgns")
endif()
