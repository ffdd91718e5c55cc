// Decodes a page with the character set that it declares.

export function textOf(bytes: Uint8Array, contentType: string): string {
  const label = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredIn(bytes);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Browsers decode undeclared bytes that are not UTF-8 in the same way.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Browsers also search only this far for a declaration. */
const declarationBytes = 1024;

const byteOrderMarks: [label: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

function declaredIn(bytes: Uint8Array): string | undefined {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return marked[0];
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, declarationBytes));
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
