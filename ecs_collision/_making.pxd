cpdef list make(object kind, object frame, tuple columns)
