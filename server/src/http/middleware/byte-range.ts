// The Range header of a request for a file: one range of bytes.

interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Undefined means the whole file, also for several ranges, which a server may ignore. */
export function readRange(
  header: string | null,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return start < size && start < end ? { start, end } : 'unsatisfiable';
}
