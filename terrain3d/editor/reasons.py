"""Hold the words of the editor's reasons: what a tool refuses, and what a stroke or a file did."""

from terrain3d.grid.reason import register_reasons

register_reasons(
    highest_level=("{cell:tile} is at level {level}, the highest",),
    lowest_level=("{cell:tile} is at level {level}, the lowest",),
    no_bridge_needed=("the ground from {start} {end:to} needs no bridge",),
    long_ladder=("a ladder leads to a neighbor, {start} and {end} are {distance:tiles} apart",),
    wall_over_void=("there is no ground for a wall {cell:at}",),
    bent_wall=(
        "a wall cannot run from {start} {end:to}: end at a neighbor of the first tile, "
        "or in the next row or column",
        "a wall cannot run from {start} {end:to}: draw it along one straight edge",
    ),
    same_ends=(
        "a {tool} needs two different ends, got {cell} twice",
        "a {tool} needs two tiles: drag from one end to the other",
    ),
    nothing_between=(
        "a {tool} needs a tile between its ends, got {start} and {end}",
        "a {tool} needs a tile between its ends: drag farther",
    ),
    paint_kind=("paint {kind}",),
    stroke_canceled=("canceled",),
    undone=("undone: {change}",),
    redone=("redone: {change}",),
    nothing_to_undo=("nothing to undo",),
    nothing_to_redo=("nothing to redo",),
    saved=("saved {path}",),
    loaded=("loaded {path}",),
    not_saved=("not saved: {error}",),
    not_loaded=("not loaded: {error}",),
    no_tiles_selected=("nothing is selected: drag with the select tool",),
    nothing_copied=("nothing is copied",),
    copied=("copied {cols} x {rows} tiles",),
    pasting=("Click a tile to paste the copied part there",),
    map_size=("{change}: the map has {cols} x {rows} tiles",),
    part_does_not_fit=("the part does not fit there",),
)
