"""Pictures of the kit as a webcam would see it: positions, styles, light, camera, hands and clutter."""
