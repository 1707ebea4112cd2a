"""Plans of squads on published scenarios and on boards of our own, judged by plain code."""
