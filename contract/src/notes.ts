// Notes that people write on requests of the log.
import { z } from 'zod';
import { AuditActor } from './audit-log.ts';
import { storable, Timestamp } from './common.ts';

const NoteText = storable(z.string().max(2000).trim().min(1)).describe(
  'The note, as plain text. It is deleted with the request.',
);

export const RequestNote = z
  .object({
    id: z.string().describe('The id of the note.'),
    request_id: z.string().describe('The request it is about.'),
    author: AuditActor.describe('Who wrote it.'),
    text: NoteText,
    created_at: Timestamp.describe('When it was written.'),
    updated_at: Timestamp.describe('When it was last changed.'),
  })
  .describe('A note on a request.');
export type RequestNote = z.infer<typeof RequestNote>;

export const NoteRequest = z
  .strictObject({ text: NoteText })
  .describe('The text of a note on a request.');
export type NoteRequest = z.infer<typeof NoteRequest>;
