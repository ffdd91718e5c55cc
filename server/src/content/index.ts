// What foreign text carries beside its words, and how much of it is given.
export { checkTranscript } from './check-transcript.ts';
export { type ContentContext, guardItems } from './guard-answer.ts';
export { makeContentThread } from './use-thread.ts';
