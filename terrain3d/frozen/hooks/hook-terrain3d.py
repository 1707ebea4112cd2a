"""Name the files for PyInstaller that this package reads: its card and the font of the view."""

from PyInstaller.utils.hooks import collect_data_files, copy_metadata

FONT = "fontpkg_ibm_plex_sans"

datas = collect_data_files("terrain3d") + collect_data_files(FONT) + copy_metadata(FONT)
hiddenimports = [FONT]
