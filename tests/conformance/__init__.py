"""Checks of path costs against published optimal lengths."""
