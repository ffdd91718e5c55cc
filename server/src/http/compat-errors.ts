// Every failure below /compat leaves in the words of the API whose address was asked, also one that
// no drop-in address answered itself: an unknown path, a wrong verb, a fault of ours.
import type { ErrorEnvelope } from '@trivium/contract';
import { z } from 'zod';
import { wordingAt } from '../compat/wordings.ts';

const Envelope = z.object({
  error: z.object({ type: z.string(), message: z.string(), detail: z.unknown().optional() }),
});

export async function inVendorWords(
  path: string,
  answered: Response | Promise<Response>,
): Promise<Response> {
  const response = await answered;
  const wording = response.status < 400 ? undefined : wordingAt(path);
  if (wording === undefined) return response;
  const { status, headers } = response;
  const text = await response.text();
  const error = readEnvelope(text);
  if (error === undefined) return new Response(text, { status, headers });
  const told = { ...error, message: wholeMessage(error) };
  return new Response(JSON.stringify(wording.toError(told, status)), {
    status: wording.statuses?.[status] ?? status,
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

const Listed = z.object({
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** The other APIs have no place for a list of faults, so the message carries it. */
function wholeMessage({ message, detail }: ErrorEnvelope['error']): string {
  const issues = Listed.safeParse(detail).data?.issues ?? [];
  const untold = issues.filter((issue) => !message.includes(issue.message));
  return [message, ...untold.map((issue) => `${issue.path}: ${issue.message}`)].join(' ');
}
