"""Programs that use material outside the project; they are not part of the package."""
