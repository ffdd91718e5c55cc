// The protocol of PostgreSQL, as far as the simulation needs it: one prepared statement is asked for,
// and its rows are read as Bun's client reads them.
import type { Row } from '../../../../src/store/database.ts';

/** `text` for a statement that is not prepared yet. */
export function askFor(
  name: string,
  text: string | undefined,
  values: readonly unknown[],
): Uint8Array {
  const parts = [
    ...(text === undefined ? [] : [message('P', cString(name), cString(text), int16(0))]),
    message(
      'B',
      cString(''),
      cString(name),
      int16(0),
      int16(values.length),
      ...values.map(sized),
      int16(0),
    ),
    message('D', Buffer.from('P'), cString('')),
    message('E', cString(''), int32(0)),
    message('S'),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

/** In the format of text; the server knows the type. */
function sized(value: unknown): Buffer {
  if (value === null || value === undefined) return int32(-1);
  const bytes = Buffer.from(String(value));
  return Buffer.concat([int32(bytes.length), bytes]);
}

interface Column {
  name: string;
  type: number;
}

/** Throws the first error in it. */
export function readAnswer(bytes: Uint8Array): Row[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let columns: Column[] = [];
  const rows: Row[] = [];
  for (let at = 0; at < buffer.length;) {
    const type = String.fromCharCode(buffer[at] ?? 0);
    const end = at + 1 + buffer.readInt32BE(at + 1);
    const body = buffer.subarray(at + 5, end);
    if (type === 'T') columns = readColumns(body);
    if (type === 'D') rows.push(readRow(body, columns));
    if (type === 'E') throw readError(body);
    at = end;
  }
  return rows;
}

function readColumns(body: Buffer): Column[] {
  const columns: Column[] = [];
  let at = 2;
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    const end = body.indexOf(0, at);
    columns.push({ name: body.toString('utf8', at, end), type: body.readInt32BE(end + 7) });
    at = end + 19;
  }
  return columns;
}

function readRow(body: Buffer, columns: readonly Column[]): Row {
  const row: Row = {};
  let at = 2;
  for (const { name, type } of columns) {
    const length = body.readInt32BE(at);
    at += 4;
    row[name] = length < 0 ? null : valueOf(type, body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return row;
}

/** The ids of types are fixed by PostgreSQL. */
const types = {
  bool: 16,
  int2: 21,
  int4: 23,
  oid: 26,
  float4: 700,
  float8: 701,
  json: 114,
  jsonb: 3802,
};
const numbers = new Set([types.int2, types.int4, types.oid, types.float4, types.float8]);

function valueOf(type: number, text: string): unknown {
  if (type === types.bool) return text === 't';
  if (numbers.has(type)) return Number(text);
  return type === types.json || type === types.jsonb ? JSON.parse(text) : text;
}

function readError(body: Buffer): Error {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  return refusal(fields.get('C') ?? 'XX000', fields.get('M') ?? 'no message');
}

/** An error of the server, as Bun's client throws it. */
export function refusal(state: string, words: string): Error {
  return Object.assign(new Error(words), { code: 'ERR_POSTGRES_SERVER_ERROR', errno: state });
}
