// The pure part of content that other modules may use.
export { blockedWarnings } from './guard.ts';
