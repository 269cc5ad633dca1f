"""Tables: values and their hierarchies, the lattice of generalisations, and records as codes."""
