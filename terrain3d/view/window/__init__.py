"""Open a window or an offscreen buffer, and run the node tree and the pointer in it.

May import `geometry`. Start with `panda_tree.py`.
"""
