// Removes a credential from whatever a provider echoes back, before it can reach a log or a caller.
import type { Refusal } from '../domain/refusal.ts';

const mark = '[redacted]';

export function redact(refusal: Refusal, key: string | undefined): Refusal {
  if (key === undefined || key === '') return refusal;
  const clean = { ...refusal, message: refusal.message.replaceAll(key, mark) };
  if (refusal.body === undefined) return clean;
  const text = JSON.stringify(refusal.body);
  const escaped = JSON.stringify(key).slice(1, -1);
  return text.includes(escaped)
    ? { ...clean, body: JSON.parse(text.replaceAll(escaped, mark)) as unknown }
    : clean;
}
