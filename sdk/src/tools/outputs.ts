// Schemas of the tools' structured results. A result is already paid for when it is checked, so the
// schemas require only what this program uses and let a newer gateway add fields.
import { z } from 'zod';

const Warnings = z
  .array(z.looseObject({ code: z.string(), param: z.string().optional(), message: z.string() }))
  .describe('How the request was adjusted, and what was found in text from the web.');
const Usage = z.looseObject({ cost_usd: z.number(), credits: z.number() });
const Signals = z
  .array(z.string())
  .optional()
  .describe('Signals of suspicious content in its texts, such as instruction or invisible_text.');
const Provider = z.string().describe('The provider that served the call.');

export const SearchOutput = z.object({
  id: z.string(),
  provider: Provider,
  results: z.array(
    z.object({
      title: z.string().nullable(),
      url: z.string(),
      published_date: z.string().optional(),
      snippets: z.array(z.string()),
      signals: Signals,
    }),
  ),
  warnings: Warnings,
  usage: Usage,
});

export const ExtractOutput = z.object({
  id: z.string(),
  provider: Provider,
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().optional(),
      published_date: z.string().optional(),
      content: z.string(),
      signals: Signals,
    }),
  ),
  failed: z.array(z.looseObject({ url: z.string(), error: z.string() })),
  warnings: Warnings,
  usage: Usage,
});

export const ReadAndSearchOutput = z.object({
  id: z.string(),
  provider: Provider.describe('The provider that searched.'),
  reader: z.string().optional().describe('The provider that read the pages.'),
  pages: ExtractOutput.shape.results.describe('The best pages, with their content.'),
  others: z
    .array(z.object({ title: z.string().nullable(), url: z.string(), signals: Signals }))
    .describe('Pages that were found but not read.'),
  failed: ExtractOutput.shape.failed,
  note: z.string().optional().describe('Why fewer pages were read than requested.'),
  warnings: Warnings,
  usage: Usage.describe('The cost of the search and of the pages together.'),
});

export const JobOutput = z.object({
  id: z.string().describe('For get_job.'),
  status: z.string().describe('queued, running or completed.'),
  provider: Provider,
  text: z.string().optional().describe('The transcript, once the job is completed.'),
  note: z.string().optional().describe('Where the rest of a long transcript is.'),
  signals: Signals,
  language: z.string().optional(),
  duration_seconds: z.number().optional(),
  usage: Usage.optional(),
  warnings: Warnings,
});
