"""Hold the words of reasons why a behavior stays."""

from terrain3d.grid.reason import register_reasons

register_reasons(
    {
        "either_off_the_map": ("{target:tile} or {here} is not on the map",),
        "has_arrived": ("has arrived {cell:at}",),
        "arrived_beside": ("has arrived beside {cell}",),
        "is_there": ("is {cell:at}",),
        "waits_at": ("waits {cell:at}",),
        "only_post": ("stays at its only post {cell}",),
        "detours_over": ("has given up {cell:at} after {n_detours:detours}",),
        "chase_over": ("has given up: {why}",),
        "caught_up": ("has caught up with the target {cell:at}",),
        "as_near_as_can": ("is as near {goal:to} as it can get",),
        "keeps_distance": ("keeps its distance of {tiles:tiles}",),
        "no_goal": ("there is no goal",),
        "no_target": ("there is no target",),
        "no_threat": ("no threat is near",),
        "no_safer_place": ("no place is safer",),
        "all_visited": ("all that can be reached has been visited",),
        "no_step_from": ("no step is legal from {cell}",),
        "walled_in": ("walls stand all around {cell}",),
        "trail_over": ("has come to the end of the trail {cell:at}",),
        "unit_on_trail": ("a unit stands on the trail {cell:at}",),
        "condition_fails": ("its condition does not hold",),
    }
)
