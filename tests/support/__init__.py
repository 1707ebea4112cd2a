"""Helpers of the tests: small maps, slow plain references, windows, and where files are."""
