// The text of a page from its bytes, in whichever character set it says it was written.

export function textOf(bytes: Uint8Array, content_type: string): string {
  const label = /charset\s*=\s*["']?([\w.:-]+)/i.exec(content_type)?.[1] ?? declaredIn(bytes);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Browsers read undeclared bytes that are not UTF-8 this way too.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Browsers look no further for a declaration either. */
const DECLARATION_BYTES = 1024;

const BYTE_ORDER_MARKS: [label: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

function declaredIn(bytes: Uint8Array): string | undefined {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return marked[0];
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
