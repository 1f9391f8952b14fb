"""Programs about material that lies beside the project; none of them is part of the package."""
