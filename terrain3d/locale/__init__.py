"""Catalogs of translated texts, `<language>/LC_MESSAGES/terrain3d.mo`, in gettext's formats."""
