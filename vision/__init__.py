"""Reads real boards from pictures: the camera, the table's pose, a reader for each field."""
