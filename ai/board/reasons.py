"""Hold the words of reasons why a board refuses or cuts an order."""

from terrain3d.grid.reason import register_reasons

register_reasons(
    cannot_go=("{unit} cannot go there: {why}",),
    cannot_turn=("{unit} cannot turn: {why}",),
    other_turn=("it is {whose}'s turn",),
    stands_on=("{unit} stands {cell:on}",),
    zone_ends_path=("{unit}'s zone of control ends the path {cell:at}",),
    too_expensive=("costs {cost:move points}, but {unit} has {points}",),
    expensive_step=(
        "the step {cell:to} costs {cost:move points}, but {unit} never has more than {points}",
    ),
    too_wide=("{unit} covers several tiles and has to move alone",),
    other_start=("the path does not start {cell:at}",),
    cannot_stop=("it cannot stop {cell:at}",),
    trade_places=("{unit} and {other} would trade places {cell:at}",),
    would_brush=(
        "{unit} would brush {other} on {cell}",
        "{unit} would bump into {other} {cell:at}",
    ),
    both_on_cell=("{unit} and {other} would both be {cell:on}",),
    no_ground_left=("no ground is left {cell:at}",),
    other_board=("the plan is one of another board",),
    plan_before_edit=("the map has changed since the plan was made",),
    plan_before_moves=("units have changed since the plan was made",),
)
