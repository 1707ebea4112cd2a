"""Archives that would take far more memory than they may are refused, and damaged ones."""

import struct
import zipfile

import numpy as np
import pytest

from terrain3d import MapFileError, TileMap
from tests.support.height_files import FEW_BYTES, archive_of, peak_while, saved

BIG = 2**25
SMALL = saved(np.zeros((1, 2)))


def changed(data, signature, offset, layout, *values):
    """Return an archive with other values in each of its headers of one kind."""
    data = bytearray(data)
    at = data.find(signature)
    while at >= 0:
        struct.pack_into(layout, data, at + offset, *values)
        at = data.find(signature, at + 1)
    return data


def in_directory(data, offset, layout, *values):
    return changed(data, b"PK\x01\x02", offset, layout, *values)


def with_many_members(count):
    """Return an archive of one member that its directory lists again and again."""
    data = archive_of({"dem.npy": SMALL})
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    directory = bytes(data[start:end]) * count
    zip64 = struct.pack(
        "<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), start
    )
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, start + len(directory), 1)
    final = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2**16 - 1, 2**16 - 1, *[2**32 - 1] * 2, 0)
    return bytes(data[:start]) + directory + zip64 + locator + final


def overlapping(array):
    """Return an archive of 64 members that are all the same bytes."""
    one = archive_of({"00.npy": saved(array)})
    start, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    entry = bytes(one[start:end])
    directory = b"".join(entry.replace(b"00", b"%02d" % number) for number in range(64))
    final = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 64, 64, len(directory), start, 0)
    return bytes(one[:start]) + directory + final


long = {"dem.npy": SMALL + bytes(BIG)}

BOMBS = {
    "bzip2": (archive_of(long, zipfile.ZIP_BZIP2), "dem: must be stored or deflated, .* method 12"),
    "lzma": (archive_of(long, zipfile.ZIP_LZMA), "dem: must be stored or deflated, .* method 14"),
    "deflate": (archive_of(long), "dem: must have 16 bytes of numbers, got"),
    "an array beyond the limit": (
        archive_of({"dem.npy": saved(np.zeros(BIG, np.uint8))}),
        r"dem: must have 1\.\.\d+ samples, got \(33554432,\)",
    ),
    "an archive in an archive": (
        archive_of({"dem.npy": bytes(archive_of(long))}),
        "dem: has no array header",
    ),
    "many members": (with_many_members(12_000), "holds 12000 files, the limit is 64"),
    "members that overlap": (overlapping(np.zeros((90, 90))), "is not an archive"),
    "sizes that are not those of the member": (
        in_directory(archive_of(long), 20, "<II", 2**31, 2**31),
        "is not an archive|must have 16 bytes",
    ),
    "sizes that only a larger header could hold": (
        in_directory(archive_of(long), 20, "<II", 2**32 - 1, 2**32 - 1),
        "is not an archive|must have 16 bytes",
    ),
    "encrypted": (
        in_directory(changed(archive_of(long), b"PK\x03\x04", 6, "<H", 1), 8, "<H", 1),
        "is not an archive",
    ),
    "another method in the directory": (
        in_directory(archive_of(long, zipfile.ZIP_BZIP2), 10, "<H", 8),
        "is not an archive",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_archives_do_not_go_off(tmp_path, name):
    data, says = BOMBS[name]
    path = tmp_path / "bomb.npz"
    path.write_bytes(data)

    def refuse():
        with pytest.raises(MapFileError, match=f"bomb.npz.* ({says})"):
            TileMap.load(path, max_surfaces=4096)

    assert peak_while(refuse) < FEW_BYTES


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_stored_and_deflated_members_are_read(tmp_path, save):
    save(tmp_path / "dem.npz", dem=np.array([[1, 2]]))
    assert TileMap.load(tmp_path / "dem.npz").level.tolist() == [[1, 2]]
