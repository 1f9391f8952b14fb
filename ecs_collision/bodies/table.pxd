# Bodies is an ordinary class: games and tests put functions in the place of its methods.
