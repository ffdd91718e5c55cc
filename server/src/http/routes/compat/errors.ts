// Returns every error in the format of the API whose address was called, including unknown paths,
// wrong methods and internal errors.
import type { ErrorEnvelope } from '@trivium/contract';
import { z } from 'zod';
import { errorFormatAt } from './error-formats.ts';

const Envelope = z.object({
  error: z.object({ type: z.string(), message: z.string(), detail: z.unknown().optional() }),
});

/** `path` is the called path. */
export async function translateError(response: Response, path: string): Promise<Response> {
  const format = errorFormatAt(path);
  if (format === undefined) return response;
  const { status, headers } = response;
  const text = await response.text();
  const error = readEnvelope(text);
  const translated = error && format.toError({ ...error, message: fullMessage(error) }, status);
  return new Response(translated ? JSON.stringify(translated) : text, {
    status: translated ? (format.statuses?.[status] ?? status) : status,
    headers,
  });
}

function readEnvelope(text: string): ErrorEnvelope['error'] | undefined {
  try {
    return Envelope.parse(JSON.parse(text)).error as ErrorEnvelope['error'];
  } catch {
    return undefined;
  }
}

const IssueList = z.object({
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** The other APIs have no field for a list of issues, so the message includes it. */
function fullMessage({ message, detail }: ErrorEnvelope['error']): string {
  const issues = IssueList.safeParse(detail).data?.issues ?? [];
  const missing = issues.filter((issue) => !message.includes(issue.message));
  return [message, ...missing.map((issue) => `${issue.path}: ${issue.message}`)].join(' ');
}
