"""Line mode: pipes, screen readers and scripts."""
