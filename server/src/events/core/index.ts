// The pure part of events that other modules may use.
export type { NewEvent } from './targets.ts';
