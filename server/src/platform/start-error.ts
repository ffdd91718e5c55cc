// A reason not to start, in one sentence for the person who typed the command.
export class StartError extends Error {}
