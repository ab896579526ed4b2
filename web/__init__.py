"""The dashboard: pages, live stream and the drawing of boards."""
