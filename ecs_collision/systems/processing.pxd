from ecs_collision.access cimport Access
from ecs_collision.world.frame cimport Frame
from ecs_collision.world.step cimport Step


cpdef object process(object system)
