"""Benchmark and check of squad plans on MAPF scenarios and generated boards."""
