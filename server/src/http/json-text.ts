// A response whose JSON is already text. A long one states its length, so that the listener can
// limit what waits for clients.
import { longChars, setOwner } from '../platform/outbox.ts';

export function jsonText(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
  accountId?: string,
): Response {
  const isLong = text.length > longChars;
  const length = isLong ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  const response = new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...length, ...headers },
  });
  return isLong ? setOwner(response, accountId) : response;
}
