"""Hold the words of reasons of queries: why there is no path, and how one was searched."""

from terrain3d.grid.reason import register_reasons

register_reasons(
    is_occupied=("{cell} is occupied", "another unit stands {cell:at}"),
    has_to_end=("the path has to end {cell:at}",),
    map_changed=("{cell:tile} could not be reached; the map has changed since",),
    no_steps=("no steps lead {goal:to}",),
    no_warps=(
        "no warps of range {warp} lead to {goal}",
        "no warp over {warp:tiles} leads {goal:to}",
    ),
    passed_only=("{cell:tile} can be passed, but no path ends there",),
    no_path=("no path leads {goal:to}",),
    over_budget=("no path {goal:to} costs at most {budget}",),
    no_goal_from=("no goal can be reached from {cell}",),
    searched=("{algorithm}",),
    searched_by=("{algorithm}, heuristic {heuristic}",),
    searched_in_order=("{search}, {order}",),
    searched_uphill=("{search}, uphill {cost}",),
)
