"""What the project's own commands share. Standard library only: ./play needs it before anything is installed."""
