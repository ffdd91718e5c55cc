// Detects what a text from the web contains besides its words, and limits how much of it is
// returned.
export { checkTranscript, guardItems } from './check-texts.ts';
export type { ContentContext } from './check-texts.ts';
export { blockedWarnings } from './core/guard.ts';
export { type ContentThread, type KeepText, makeContentThread } from './use-thread.ts';
