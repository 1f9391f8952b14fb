"""What a body looks like, exactly: parts that are boxes, spheres, capsules and oriented boxes (rules H)."""
