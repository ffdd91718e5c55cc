// Removes credentials from what a provider echoes back, before they can reach a log or a caller.
import type { Refusal } from '../domain/refusal.ts';

const mark = '[redacted]';

export function redact(refusal: Refusal, keys: readonly string[]): Refusal {
  return keys.reduce(redactOne, refusal);
}

function redactOne(refusal: Refusal, key: string): Refusal {
  if (key === '') return refusal;
  const clean = { ...refusal, message: refusal.message.replaceAll(key, mark) };
  if (refusal.body === undefined) return clean;
  const text = JSON.stringify(refusal.body);
  const escaped = JSON.stringify(key).slice(1, -1);
  return text.includes(escaped)
    ? { ...clean, body: JSON.parse(text.replaceAll(escaped, mark)) as unknown }
    : clean;
}
