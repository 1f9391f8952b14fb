"""The text level format: settings, a legend of letters, maps, and lines about single things."""
