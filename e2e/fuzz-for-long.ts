// The fuzz test as a program: 20,000 cases by default, with a seed to reproduce a finding. One in
// four cases is about native options, checked by their holds and charges.
import { startAnyUpstream } from './billing/any-upstream.ts';
import { attackOptions } from './billing/option-attack.ts';
import { fuzz } from './fuzz.ts';
import { startGateway } from './harness.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import type { Document } from './fuzz-judge.ts';

const [cases = 20_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const operatorToken = 'operator-token-of-the-fuzzer-0123456789';
const balance = { TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000' };
const optionCases = Math.ceil(cases / 4);

const found = { endpoints: await fuzzEndpoints(), options: await fuzzOptions() };
for (const [part, fault] of Object.entries(found)) {
  process.stdout.write(`${part} with seed ${seed}: ${fault ?? 'nothing found'}\n`);
}
process.exitCode = Object.values(found).every((fault) => fault === undefined) ? 0 : 1;

async function fuzzEndpoints(): Promise<string | undefined> {
  const env = { ...balance, TRIVIUM_ADMIN_TOKEN: operatorToken };
  await using gateway = await startGateway({ env });
  const { body } = await gateway.get('/openapi.json');
  const options = { cases: cases - optionCases, seed, operatorToken };
  // Awaited here, because the gateway is disposed with this function.
  return await fuzz(gateway, body as Document, options);
}

async function fuzzOptions(): Promise<string | undefined> {
  await using sandbox = await startSandboxProcess();
  await using upstream = startAnyUpstream(sandbox.url);
  await using gateway = await startGateway({ env: { ...balance, ...upstream.env } });
  const { fault } = await attackOptions({ gateway, upstream }, { cases: optionCases, seed });
  return fault;
}
