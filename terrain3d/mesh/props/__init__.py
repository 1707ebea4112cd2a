"""Build the vertex arrays of trees, plants and stones.

Start with `props.py`.
"""
