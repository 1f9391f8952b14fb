"""Which bodies are welded to which: the graph that `Fused` components draw, by entity id.

Every body is fused to at most one other, so the graph is a forest: what is connected is one group, and has
exactly one root. The graph holds what the world has taken in; take-in judges it before it changes.
"""

from __future__ import annotations


class Groups:
    """The welds of a world: `partner` is whom an entity is fused to, `followers` who is fused to it."""

    def __init__(self) -> None:
        self.partner: dict[int, int] = {}
        self.followers: dict[int, set[int]] = {}

    def __bool__(self) -> bool:
        """Return whether any body is fused."""
        return bool(self.partner)

    def knows(self, entity: int) -> bool:
        """Return whether an entity is fused, or another to it."""
        return entity in self.partner or entity in self.followers

    def fuse(self, entity: int, to: int | None) -> None:
        """Note whom an entity is fused to, None for nobody."""
        old = self.partner.pop(entity, None)
        if old is not None:
            self.followers[old].discard(entity)
            if not self.followers[old]:
                del self.followers[old]
        if to is not None:
            self.partner[entity] = to
            self.followers.setdefault(to, set()).add(entity)
