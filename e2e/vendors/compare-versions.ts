// The program of `npm test -- --suite requests <folder>`: compares what this version and the one
// in the folder send to the vendors. It plays every fixture of this version in both, and each value
// of each parameter and each pair of them on every product, and compares the requests to the byte.
import { join, resolve } from 'node:path';
import { type ProviderId, providerIds, typedName } from '@trivium/contract';
import { plugin } from 'bun';
import { projectRoot } from '../../scripts/command.ts';
import { fixtureNames, readFixture } from '../../server/test/fixtures.ts';
import type { Fixture, Played } from '../../server/test/play.ts';
import type { plansOf } from '../../server/test/request-matrix.ts';

const maxShown = 20;
const products = ['search', 'extract', 'transcribe'] as const;
const shownWhole = `
export function shown(outgoing: Outgoing) {
  const { headers, body } = outgoing;
  return { ...partShown(outgoing), headers, ...(typeof body === 'string' ? { body } : {}) };
}`;

type Play = (id: ProviderId, fixture: Fixture) => Promise<Played>;
/** What a case sent, and what the caller was warned of, as text. */
type Recorded = Record<string, { sent: string; warned: string }>;

const [folder, task] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the other version');
if (task === 'record') process.stdout.write(JSON.stringify(await record(resolve(folder))));
else compare(recordedIn(projectRoot), recordedIn(resolve(folder)));

/** Each version runs in its own process, with its own packages and settings. */
function recordedIn(root: string): Recorded {
  const command = [process.execPath, import.meta.path, root, 'record'];
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd: root, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`the version in ${root} could not be run`);
  return JSON.parse(stdout.toString()) as Recorded;
}

async function record(root: string): Promise<Recorded> {
  // Before anything loads the file that shows requests.
  showEverything(root);
  const { withPairs } = await import('./captured-calls.ts');
  const ours = await import('../../server/test/request-matrix.ts');
  const values = {
    search: ours.searchValues,
    extract: ours.extractValues,
    transcribe: ours.transcriptionValues,
  };
  const load = <T>(path: string) => import(join(root, 'server/test', path)) as Promise<T>;
  const { playSearch, playExtract } = await load<Record<string, Play>>('play.ts');
  const { playTranscribe } = await load<Record<string, Play>>('play-transcribe.ts');
  const matrix = await load<{ plansOf: typeof plansOf }>('request-matrix.ts');
  const plays = { search: playSearch, extract: playExtract, transcribe: playTranscribe };
  const found: Recorded = {};
  for (const id of providerIds) {
    const plans = matrix.plansOf(id);
    for (const product of products) {
      const play = plays[product];
      for (const name of play ? fixtureNames(`${typedName(id)}.${product}.`) : []) {
        found[name] = await outcomeOf(() => play?.(id, readFixture(name)));
      }
      const plan = plans[product];
      for (const body of plan ? withPairs(values[product]) : []) {
        const name = `${typedName(id)}.${product} ${JSON.stringify(body)}`;
        found[name] = await outcomeOf(() => {
          const { sent, warnings } = plan?.(body) ?? {};
          return { sent, warned: warnings };
        });
      }
    }
  }
  return found;
}

/** The tests show a request without its headers and with its body parsed. Here all of it counts. */
function showEverything(root: string): void {
  const filter = new RegExp(`^${RegExp.escape(join(root, 'server/test/play.ts'))}$`);
  plugin({
    name: 'whole requests',
    setup: (build) => {
      build.onLoad({ filter }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const inner = text.replace('export function shown(', 'function partShown(');
        if (inner === text) throw new Error(`${path} does not show requests any more`);
        return { loader: 'ts', contents: inner + shownWhole };
      });
    },
  });
}

/** An invalid pair, such as a window and a date, has to be refused with the same words. */
async function outcomeOf(run: () => unknown): Promise<Recorded[string]> {
  try {
    const { sent, warned } = (await run()) as { sent: unknown; warned: unknown };
    return { sent: JSON.stringify(sent), warned: JSON.stringify(warned) };
  } catch (error) {
    return { sent: `refused: ${String(error)}`, warned: '' };
  }
}

function compare(now: Recorded, before: Recorded): void {
  const names = Object.keys({ ...before, ...now });
  const isFixture = (name: string) => !name.includes(' ');
  const refused = names.filter((name) => now[name]?.sent.startsWith('refused: '));
  const differing = {
    sent: names.filter((name) => now[name]?.sent !== before[name]?.sent),
    warned: names.filter((name) => now[name]?.warned !== before[name]?.warned),
  };
  for (const what of ['sent', 'warned'] as const) {
    for (const name of differing[what].slice(0, maxShown)) {
      say(difference(name, now[name]?.[what] ?? '', before[name]?.[what] ?? ''));
    }
  }
  const fixtures = names.filter(isFixture).length;
  say(`${fixtures} fixtures and ${names.length - fixtures} combinations of parameters compared`);
  say(`${refused.length} of them are invalid requests, which both have to refuse`);
  const [sent, warned] = [differing.sent.length, differing.warned.length];
  say(`${sent} differ in what is sent, ${warned} in the warnings`);
  process.exitCode = sent + warned > 0 ? 1 : 0;
}

/** Both texts from a little before the first character that differs. */
function difference(name: string, now: string, before: string): string {
  let at = 0;
  while (at < now.length && now[at] === before[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 240);
  return `${name}\n  now    ${part(now)}\n  before ${part(before)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
