// A reason why a command cannot start, shown to its user without a stack trace.
export class StartError extends Error {}
