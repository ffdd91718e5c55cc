// Durations in milliseconds. They need no schema, so threads load them without the contract.
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
