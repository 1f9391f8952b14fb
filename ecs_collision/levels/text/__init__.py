"""Text levels of our own: settings, a legend of letters, maps, and single things."""
