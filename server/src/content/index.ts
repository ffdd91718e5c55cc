// Detects what a text from the web contains besides its words, and limits how much of it is
// returned.
export { checkTranscript } from './check-transcript.ts';
export { type ContentContext, guardItems } from './guard-answer.ts';
export { makeContentThread } from './use-thread.ts';
