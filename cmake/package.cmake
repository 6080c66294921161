# cpack: a package of Debian (-G DEB) or an archive (-G TGZ) of the installation. The target package_source:
# the archive of the source.
set(CPACK_PACKAGE_VENDOR "The karman authors")
set(CPACK_PACKAGE_CONTACT "The karman authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME karman-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/build/" "/out/" "/\\.git/" "/\\.git$" "/__pycache__/" "\\.o$" "/compile_commands\\.json$"
  "/datasets/[^/]*\\.(h5|xdmf)$")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mpich, fonts-dejavu-core, python3-numpy")
if(KARMAN_HAS_OPEN_MPI)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin, fonts-dejavu-core, python3-numpy")
endif()
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "It draws exact pictures of structured multi-block grids on CPUs, on any number of
 ranks, from files and from running programs.")
include(CPack)
