from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.kept_contacts cimport KeptContacts


cdef class Solver:
    cdef readonly long long contact_count, solve_count, meeting_count
