"""Name the parts of Panda3D for PyInstaller that it loads itself: plugins and configuration."""

from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs

datas = collect_data_files("panda3d", subdir="etc")
binaries = collect_dynamic_libs("panda3d")
