"""Name the files for PyInstaller that this package reads: its card and the font of the view."""

from importlib.util import find_spec

from PyInstaller.utils.hooks import collect_data_files, copy_metadata

FONT = "fontpkg_ibm_plex_sans"

MORE_FONTS = [name for name in ("noto_cjk_sans_jp_regular",) if find_spec(name) is not None]

datas = collect_data_files("terrain3d") + collect_data_files(FONT) + copy_metadata(FONT)
datas += [each for name in MORE_FONTS for each in collect_data_files(name)]
hiddenimports = [FONT, *MORE_FONTS]
