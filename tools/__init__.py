"""What the project's own commands are made of. ./play needs its part before anything is installed."""
