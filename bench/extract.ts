// What twenty pages cost beside the slowest of them: every extraction engine, end to end, over a
// sandbox whose every answer takes the same time.
import { extract_engines, extract_mounts } from '../e2e/engines.ts';
import type { ExtractEngine } from '../e2e/engines.ts';
import { startGateway } from '../e2e/harness.ts';
import type { Gateway } from '../e2e/harness.ts';
import { startSandboxProcess } from '../e2e/sandbox-process.ts';

const rounds = 9;
const warm_up = 2;
/** How long the vendor takes for each of its answers. */
const page_ms = 100;
/** As many calls as the gateway makes side by side. */
const side_by_side = 5;
const urls = Array.from(
  { length: 20 },
  (_, index) => `https://gridlines.example/storage/solar-storage-guide?utm_content=${index}`,
);

await using sandbox = await startSandboxProcess();
await using gateway = await startGateway({
  sandbox: sandbox.url,
  env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000', LOG_LEVEL: 'error' },
});
for (const engine of extract_engines) {
  await sandbox.fault(extract_mounts[engine], 'slow', { delay_ms: page_ms });
}
process.stdout.write(
  `every answer of a vendor takes ${page_ms} ms; medians of ${rounds} rounds\n` +
    'engine     calls  waves   one page ms   twenty ms   overhead ms   overhead a page ms\n',
);
for (const engine of extract_engines) process.stdout.write(`${await measure(engine)}\n`);

/** Overhead is what is left when the vendor's own time is taken away, wave by wave. */
async function measure(engine: ExtractEngine): Promise<string> {
  const one_ms = await medianOf(gateway, engine, urls.slice(0, 1));
  await sandbox.clearCalls();
  const twenty_ms = await medianOf(gateway, engine, urls);
  const calls = (await sandbox.calls(extract_mounts[engine])).length / (rounds + warm_up);
  const waves = Math.ceil(calls / side_by_side);
  const overhead_ms = twenty_ms - waves * page_ms;
  return [
    engine.padEnd(9),
    String(calls).padStart(6),
    String(waves).padStart(6),
    one_ms.toFixed(1).padStart(13),
    twenty_ms.toFixed(1).padStart(11),
    overhead_ms.toFixed(1).padStart(13),
    (overhead_ms / urls.length).toFixed(2).padStart(20),
  ].join(' ');
}

async function medianOf({ post }: Gateway, provider: string, pages: string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds + warm_up; round += 1) {
    const started = performance.now();
    const { status, text } = await post('/v1/extract', { provider, urls: pages });
    if (status !== 200) throw new Error(`${provider}: ${status} ${text}`);
    if (round >= warm_up) times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
}
