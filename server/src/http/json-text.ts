// A response whose JSON is already text. A long one states its length, so that the listener can
// limit what waits for clients.
import { longChars } from '../platform/outbox.ts';

export function jsonText(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const length =
    text.length > longChars ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...length, ...headers },
  });
}
