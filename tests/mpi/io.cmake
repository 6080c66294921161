# Sources, loading and `karman info`.
find_package(ZLIB REQUIRED)
add_library(karman_test_io STATIC test_io_support.c)
target_link_libraries(karman_test_io
  PUBLIC karman_test_support karman_io karman_parallel karman_grid karman_base MPI::MPI_C PkgConfig::HDF5
    karman_options m PRIVATE ZLIB::ZLIB)

foreach(name load faces grids errors info missing)
  add_executable(test_io_${name} test_io_${name}.c)
  target_link_libraries(test_io_${name} PRIVATE karman_test_io)
  karman_mpi_test(io_${name} RANKS ${KARMAN_FEW_RANKS}
    COMMAND $<TARGET_FILE:test_io_${name}>)
endforeach()

# Rings and longitudes.
add_executable(test_io_view test_io_view.c)
target_link_libraries(test_io_view PRIVATE karman_test_io)
karman_mpi_test(io_view RANKS 1 3 COMMAND $<TARGET_FILE:test_io_view>)

# Copies of blocks.
add_executable(test_io_copies test_io_copies.c)
target_link_libraries(test_io_copies PRIVATE karman_test_io karman_datasets)
karman_mpi_test(io_copies RANKS 1 3 COMMAND $<TARGET_FILE:test_io_copies>)

# PLOT3D files of all forms, and CGNS files.
add_executable(test_io_cgns test_io_cgns.c test_io_values.c test_cgns_support.c test_adf_support.c)
target_link_libraries(test_io_cgns PRIVATE karman_test_io)
karman_mpi_test(io_cgns RANKS 1 3 COMMAND $<TARGET_FILE:test_io_cgns>)
foreach(form big little short new-big)
  karman_mpi_test(io_cgns_adf_${form} RANKS 1 3 COMMAND $<TARGET_FILE:test_io_cgns> adf-${form})
endforeach()
add_executable(test_io_contacts test_io_contacts.c test_cgns_support.c)
target_link_libraries(test_io_contacts PRIVATE karman_test_io)
karman_mpi_test(io_contacts RANKS ${KARMAN_FEW_RANKS} COMMAND $<TARGET_FILE:test_io_contacts>)
add_executable(test_io_joints test_io_joints.c)
target_link_libraries(test_io_joints PRIVATE karman_test_io)
karman_mpi_test(io_joints RANKS ${KARMAN_FEW_RANKS} COMMAND $<TARGET_FILE:test_io_joints>)
add_executable(test_io_plot3d test_io_plot3d.c test_io_values.c test_plot3d_support.c)
target_link_libraries(test_io_plot3d PRIVATE karman_test_io)
karman_mpi_test(io_plot3d RANKS 1 3 COMMAND $<TARGET_FILE:test_io_plot3d>)

add_executable(test_io_vtk test_io_vtk.c test_legacy_support.c)
target_link_libraries(test_io_vtk PRIVATE karman_test_io)
karman_mpi_test(io_vtk RANKS 1 3 COMMAND $<TARGET_FILE:test_io_vtk>)
if(KARMAN_HAS_LIBXML2)
  add_executable(test_io_vtk_xml test_io_vtk_xml.c)
  target_link_libraries(test_io_vtk_xml PRIVATE karman_test_io ZLIB::ZLIB)
  foreach(name LZ4 LZMA)
    if(KARMAN_HAS_${name})
      target_compile_definitions(test_io_vtk_xml PRIVATE KARMAN_HAS_${name})
      target_link_libraries(test_io_vtk_xml PRIVATE PkgConfig::${name})
    endif()
  endforeach()
  karman_mpi_test(io_vtk_xml RANKS 1 3 COMMAND $<TARGET_FILE:test_io_vtk_xml>)
  add_executable(test_io_xdmf test_io_xdmf.c)
  target_link_libraries(test_io_xdmf PRIVATE karman_test_io)
  karman_mpi_test(io_xdmf RANKS 1 3 COMMAND $<TARGET_FILE:test_io_xdmf>)
endif()
add_executable(test_io_netcdf test_io_netcdf.c test_classic_support.c)
target_link_libraries(test_io_netcdf PRIVATE karman_test_io)
karman_mpi_test(io_netcdf RANKS 1 3 COMMAND $<TARGET_FILE:test_io_netcdf>)
add_executable(test_io_ensight test_io_ensight.c test_ensight_support.c)
target_link_libraries(test_io_ensight PRIVATE karman_test_io)
karman_mpi_test(io_ensight RANKS 1 3 COMMAND $<TARGET_FILE:test_io_ensight>)
add_executable(test_io_plt test_io_plt.c test_plt_support.c)
target_link_libraries(test_io_plt PRIVATE karman_test_io)
karman_mpi_test(io_plt RANKS 1 3 COMMAND $<TARGET_FILE:test_io_plt>)
add_executable(test_io_tecplot test_io_tecplot.c test_tecplot_support.c)
target_link_libraries(test_io_tecplot PRIVATE karman_test_io)
karman_mpi_test(io_tecplot RANKS 1 3 COMMAND $<TARGET_FILE:test_io_tecplot>)

# Files with more than 2^31 values, sparse.
add_executable(test_io_large test_io_large.c test_cgns_support.c)
target_link_libraries(test_io_large PRIVATE karman_test_io)
if(KARMAN_HAS_LIBXML2)
  target_compile_definitions(test_io_large PRIVATE KARMAN_HAS_LIBXML2)
endif()
karman_mpi_test(io_large RANKS 1 3 COMMAND $<TARGET_FILE:test_io_large>)

# Reads that were expected, and files that are opened once.
add_executable(test_io_expect test_io_expect.c)
target_link_libraries(test_io_expect PRIVATE karman_test_io)
target_link_options(test_io_expect PRIVATE LINKER:--wrap=open,--wrap=pread,--wrap=posix_fadvise)
karman_mpi_test(io_expect RANKS 1 3 COMMAND $<TARGET_FILE:test_io_expect>)

# How often coordinates are read.
add_executable(test_io_once test_io_once.c)
target_link_libraries(test_io_once PRIVATE karman_test_io)
target_link_options(test_io_once PRIVATE LINKER:--wrap=pread)
karman_mpi_test(io_once RANKS 1 3 COMMAND $<TARGET_FILE:test_io_once>)

# Files of karman's own layout, made of others.
add_executable(test_convert test_convert.c test_plot3d_support.c)
target_link_libraries(test_convert PRIVATE karman_test_io karman_commands ${KARMAN_PARTS})
karman_mpi_test(convert RANKS 1 3 5 COMMAND $<TARGET_FILE:test_convert>)

target_link_libraries(test_io_load PRIVATE OpenMP::OpenMP_C)
target_sources(test_io_info PRIVATE ${PROJECT_SOURCE_DIR}/app/cmd_info.c
  ${PROJECT_SOURCE_DIR}/app/arguments.c ${PROJECT_SOURCE_DIR}/app/numbers/numbers.c)
target_link_libraries(test_io_info PRIVATE karman_commands karman_session karman_frame ${KARMAN_PARTS} PkgConfig::JANSSON)

# Bricks that are loaded when they become visible.
set(later_data ${CMAKE_CURRENT_BINARY_DIR}/later.h5)
add_test(NAME dataset-later
  COMMAND karman-dataset karman --steps 4 --size 193,97,18 --output ${later_data})
set(folded_data ${CMAKE_CURRENT_BINARY_DIR}/folded.h5)
add_test(NAME dataset-folded
  COMMAND karman-dataset inverted --size 60,36,20 --output ${folded_data})
set_tests_properties(dataset-later dataset-folded PROPERTIES LABELS mpi
  TIMEOUT ${KARMAN_TIMEOUT} FIXTURES_SETUP dataset-later
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
add_executable(test_later test_later.c)
target_link_libraries(test_later PRIVATE karman_test_io karman_render)
karman_mpi_test(io_later RANKS ${KARMAN_FEW_RANKS}
  COMMAND $<TARGET_FILE:test_later> ${later_data} ${folded_data})
foreach(ranks ${KARMAN_FEW_RANKS})
  set_tests_properties(io_later-${ranks} PROPERTIES FIXTURES_REQUIRED dataset-later)
endforeach()

# Bricks that move from rank to rank, of the same data set.
add_executable(test_move test_move.c)
target_link_libraries(test_move PRIVATE karman_test_io)
karman_mpi_test(io_move RANKS 3 5
  COMMAND $<TARGET_FILE:test_move> ${later_data})
foreach(ranks 3 5)
  set_tests_properties(io_move-${ranks} PROPERTIES FIXTURES_REQUIRED dataset-later)
endforeach()

# Data in the memory of a running program.
set(memory_data "")
foreach(name karman two-blocks warped-box iblank-sphere)
  list(APPEND memory_data ${PROJECT_BINARY_DIR}/tests/image/datasets/${name}.h5)
  list(APPEND memory_fixtures dataset-${name})
endforeach()
add_executable(test_memory_source test_memory_source.c)
target_link_libraries(test_memory_source PRIVATE karman_test_support karman_io karman_parallel karman_grid karman_base
  MPI::MPI_C karman_options m)
karman_mpi_test(io_memory RANKS 1 2 5 COMMAND $<TARGET_FILE:test_memory_source> ${memory_data})
foreach(ranks 1 2 5)
  set_tests_properties(io_memory-${ranks} PROPERTIES FIXTURES_REQUIRED "${memory_fixtures}")
endforeach()

# Values found for keys that a config leaves open.
add_executable(test_auto test_auto.c)
target_link_libraries(test_auto PRIVATE karman_test_io karman_session karman_frame ${KARMAN_PARTS})
karman_mpi_test(auto RANKS ${KARMAN_FEW_RANKS} COMMAND $<TARGET_FILE:test_auto>)

if(KARMAN_MESSAGES)
  # Machines that are measured, on nodes that are only said to be there.
  add_executable(test_measure test_measure.c)
  target_link_libraries(test_measure PRIVATE karman_options karman_messages karman_session karman_frame ${KARMAN_PARTS} PkgConfig::JANSSON)
  karman_mpi_test(measure RANKS ${KARMAN_FEW_RANKS} COMMAND $<TARGET_FILE:test_measure>)
endif()
