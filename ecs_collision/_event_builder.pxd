cpdef object build_event(object kind, tuple values)
cpdef list build_events(object kind, object frame, tuple columns)
