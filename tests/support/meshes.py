"""What tests of meshes share."""

import numpy as np


def vertex_rows(mesh):
    """Give each triangle's corners with all they carry, sorted."""
    all_of_it = np.concatenate([mesh.positions, mesh.normals, mesh.colors, mesh.uv], axis=1)
    triangles = all_of_it[mesh.triangles].reshape(len(mesh.triangles), 3 * all_of_it.shape[1])
    weights = np.random.default_rng(0).random(triangles.shape[1])
    return triangles[np.argsort(triangles @ weights)]


def facing(mesh):
    """Give how far each triangle's own normal agrees with those of its corners."""
    a, b, c = (mesh.positions[mesh.triangles[:, i]].astype(float) for i in range(3))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.triangles].sum(axis=1))
