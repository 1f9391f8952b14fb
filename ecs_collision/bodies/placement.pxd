from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport ColliderFields, TransformFields
from ecs_collision.components.parts cimport Parts
from ecs_collision.shapes.bounds cimport Form, Formed


cpdef int flags_of(Parts parts, bint is_pushable, bint asleep)


cdef class Placement:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef Index dynamic, static
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef public list parts, forms
    cdef readonly set rewritten_rows
    cdef dict rotations
    cdef readonly object deferred, woken
    cdef int[::1] deferred_view
    cdef int[::1] woken_view
    cdef readonly Py_ssize_t deferred_count, woken_count, moved_count, static_count
    cdef readonly long long reach
    cpdef int begin(self, int row, int flags, long long frame)
    cpdef void enter_cells(self, int row)
    cpdef void set_form(self, int row, Form form)
    cdef void room_for_rows(self)
    cdef void fetch(self, Py_ssize_t at) noexcept
    cpdef Py_ssize_t find_deferred(self, long long low, long long high)
    cdef int kind_of(self, int row) noexcept
    cdef bint fits(self, int row, Form form, long long low, long long high) noexcept
    cdef TransformFields transform_of(self, int row)
    cdef Formed formed_of(self, int row)
    cdef Form turned_form(self, int row, int kind)
    cdef bint is_deferred(self, int row, int kind, Form form) noexcept
    cpdef void apply(self, long long frame)
    cdef void apply_to(self, int row, long long frame)
    cdef void place(self, int row)
    cdef void turn(self, int row, Form form)
    cpdef tuple written_ways(self)
    cpdef void start_turns(self)
    cpdef void write_rotation(self, int row, rotation)
    cpdef void revert_rotations(self)
