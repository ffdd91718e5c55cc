// The thread that owns an SQLite file: a slow disk then delays a commit, not every request.
import { Database as Sqlite } from 'bun:sqlite';
import type { Statement } from 'bun:sqlite';
import type { Asked, Told } from './sqlite-client.ts';

declare const self: Worker;

const busy_timeout_ms = 5000;
let sqlite: Sqlite | undefined;

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  self.postMessage(answer(data));
};

function answer(asked: Asked): Told {
  try {
    return { id: asked.id, rows: perform(asked) };
  } catch (error) {
    const { message, code } = error as { message?: unknown; code?: unknown };
    return { id: asked.id, error: { message: String(message), code: String(code) } };
  }
}

function perform(asked: Asked): unknown[] {
  if ('open' in asked) sqlite = open(asked.open, asked.readonly);
  else if ('close' in asked) close();
  else return prepared(asked.text)?.all(...asked.values) ?? [];
  return [];
}

/** Few texts are used again and again, and reading one anew costs more than running it. */
const most_statements = 512;
const statements = new Map<string, Statement>();

function prepared(text: string): Statement | undefined {
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= most_statements) forget();
  const statement = sqlite?.prepare(numbered(text));
  if (statement) statements.set(text, statement);
  return statement;
}

function forget(): void {
  for (const statement of statements.values()) statement.finalize();
  statements.clear();
}

function close(): void {
  forget();
  sqlite?.close();
}

function open(file: string, readonly: boolean): Sqlite {
  const opened = readonly ? new Sqlite(file, { readonly }) : new Sqlite(file, { create: true });
  opened.run(`pragma busy_timeout = ${busy_timeout_ms}`);
  if (readonly) return opened;
  opened.run('pragma journal_mode = wal');
  opened.run('pragma synchronous = full');
  opened.run('pragma foreign_keys = on');
  return opened;
}

/** To SQLite `$2` is a name, counted as it appears; `?2` is the second value wherever it stands. */
function numbered(text: string): string {
  return text.replaceAll(/\$(?=\d)/g, '?');
}
