cpdef list build_events(object kind, object frame, tuple columns)
