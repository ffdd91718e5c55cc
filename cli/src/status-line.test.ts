// The status line of a command that takes longer than a second, and its absence elsewhere.
import { expect, test } from 'bun:test';
import { found, startStubGateway } from '@trivium/sdk/stub-gateway';
import { runHere } from './run-cli.ts';

const clearLine = '\r\u001b[K';

/** Answers a search once the status line appears; without one, the search never ends. */
async function searchSlowly() {
  const shown = Promise.withResolvers<void>();
  await using gateway = startStubGateway([() => shown.promise.then(() => Response.json(found))]);
  let screen = '';
  const write = (text: string) => {
    screen += text;
    if (screen.includes('Searching')) shown.resolve();
  };
  const terminal = { outIsTerminal: true, errIsTerminal: true, out: write, err: write };
  const { code } = await runHere(['search', 'solar'], gateway, { NO_COLOR: '1' }, terminal);
  return { code, screen };
}

test('it appears during a long search, and is removed before the results', async () => {
  const { code, screen } = await searchSlowly();
  expect(code).toBe(0);
  expect(screen).toMatch(/^\r\u001b\[K\S Searching {2}1 s/);
  const last = screen.lastIndexOf('Searching');
  expect(screen.slice(last)).toMatch(/^Searching {2}\d+ s\r\u001b\[KNo results\.\n/);
});

test('a quick command does not show it, and neither does a command without a terminal', async () => {
  await using gateway = startStubGateway([() => Response.json(found)]);
  const terminal = { outIsTerminal: true, errIsTerminal: true };
  const quick = await runHere(['search', 'solar'], gateway, {}, terminal);
  expect(quick.err).not.toContain(clearLine);
  const piped = await runHere(['search', 'solar'], gateway, {});
  expect(piped.err).toBe('');
});
