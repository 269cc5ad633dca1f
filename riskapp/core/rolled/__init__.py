"""All nodes of a lattice at once: tables of classes, each made from a finer one."""
