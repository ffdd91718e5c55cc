// Detects what a text from the web contains besides its words, and limits how much of it is
// returned.
export { checkTranscript } from './check-transcript.ts';
export { type ContentContext, guardItems } from './guard-answer.ts';
export type { KeepText } from './scan-once.ts';
export { type ContentThread, makeContentThread } from './use-thread.ts';
