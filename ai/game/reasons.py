"""Hold the words of reasons of commanders and battles, and of units that a map carries."""

from terrain3d.grid.reason import register_reasons

register_reasons(
    battle_over=("the battle is over",),
    has_acted=("{unit} has acted",),
    nothing_to_face=("Select a unit and aim at the tile that it should face",),
    not_ready=("The game is still getting ready",),
    not_yours=("{unit} of team {team} is not yours",),
    no_enemy_in_range=("No enemy is near enough for {skill} this turn",),
    too_far=("{unit} is {n:tiles} too far for {skill} this turn",),
    cannot_be_hit=("{skill} cannot hit {unit} from any tile within reach",),
    nothing_selected=("Select a unit of yours first",),
    no_order_to_undo=("nothing to undo",),
    dice_have_decided=("An attack stays; rewind goes back to the start of your turn",),
    no_turns=("There are no turns to end",),
    unit_left_out=("unit {n} is left out: {error}",),
    unknown_mover=("unit {n}, {unit}, moves as light foot: no mover is called {mover}",),
    units_not_a_list=("units: must be a list, got {value}",),
    more_notes=("units: {n} more notes",),
)
