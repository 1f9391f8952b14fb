from ecs_collision.dynamics.flat_solver cimport FlatSolver
from ecs_collision.dynamics.kept_impulses cimport KeptImpulses
from ecs_collision.dynamics.spatial_solver cimport SpatialSolver
from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts


cdef class SoftStep:
    cdef readonly StepContacts contacts
    cdef FlatSolver flat
    cdef SpatialSolver spatial

    cpdef void step(self, StepBodies bodies, const int[::1] first, const int[::1] second, Py_ssize_t count, KeptImpulses kept, const long long[::1] low, const long long[::1] high, double dt, double gx, double gy, double gz, int substeps, double length)
