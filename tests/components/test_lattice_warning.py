"""The warning about sizes off the lattice, given once (L1)."""

from __future__ import annotations

import warnings

import pytest

from ecs_collision import BoxCollider, LatticeWarning, fixed_point


def test_a_size_off_the_lattice_warns_once_and_says_what_to_do_L1(monkeypatch):
    monkeypatch.setattr(fixed_point, "_warned", False)
    with pytest.warns(LatticeWarning, match=r"half extent of 0\.05 .* in which a tile is 1"):
        BoxCollider(0.05, 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BoxCollider(0.05, 0.5)


def test_a_dyadic_size_does_not_warn_L1(monkeypatch):
    monkeypatch.setattr(fixed_point, "_warned", False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BoxCollider(0.375, 2**-16)
