// The overhead of extracting twenty pages: every engine, end to end, on a sandbox whose responses
// all take the same time.
import { extractEngines, extractMounts } from '../e2e/engines.ts';
import type { ExtractEngine } from '../e2e/engines.ts';
import { startGateway } from '../e2e/harness.ts';
import type { Gateway } from '../e2e/harness.ts';
import { startTestSandbox } from '../e2e/test-sandbox.ts';

const rounds = 9;
const warmUp = 2;
/** How long the vendor takes for each response. */
const pageMs = 100;
/** How many calls the gateway makes in parallel. */
const sideBySide = 5;
const urls = Array.from(
  { length: 20 },
  (_, index) => `https://gridlines.example/storage/solar-storage-guide?utm_content=${index}`,
);

await using sandbox = await startTestSandbox();
await using gateway = await startGateway({
  sandbox: sandbox.url,
  env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000', LOG_LEVEL: 'error' },
});
for (const engine of extractEngines) {
  await sandbox.fault(extractMounts[engine], 'slow', { delay_ms: pageMs });
}
process.stdout.write(
  `every response of a vendor takes ${pageMs} ms; medians of ${rounds} rounds\n` +
    'engine     calls  waves   one page ms   twenty ms   overhead ms   overhead per page ms\n',
);
for (const engine of extractEngines) process.stdout.write(`${await measure(engine)}\n`);

/** The overhead is the total time without the vendor's time, wave by wave. */
async function measure(engine: ExtractEngine): Promise<string> {
  const oneMs = await medianOf(gateway, engine, urls.slice(0, 1));
  await sandbox.clearCalls();
  const twentyMs = await medianOf(gateway, engine, urls);
  const calls = (await sandbox.calls(extractMounts[engine])).length / (rounds + warmUp);
  const waves = Math.ceil(calls / sideBySide);
  const overheadMs = twentyMs - waves * pageMs;
  return [
    engine.padEnd(9),
    String(calls).padStart(6),
    String(waves).padStart(6),
    oneMs.toFixed(1).padStart(13),
    twentyMs.toFixed(1).padStart(11),
    overheadMs.toFixed(1).padStart(13),
    (overheadMs / urls.length).toFixed(2).padStart(20),
  ].join(' ');
}

async function medianOf({ post }: Gateway, provider: string, pages: string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const started = performance.now();
    const { status, text } = await post('/v1/extract', { provider, urls: pages });
    if (status !== 200) throw new Error(`${provider}: ${status} ${text}`);
    if (round >= warmUp) times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
}
