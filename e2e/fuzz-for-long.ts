// The fuzz as a program: 20,000 cases by default, and any seed, to repeat what was found.
import { startGateway } from './harness.ts';
import { type Document, fuzz } from './fuzz.ts';

const [cases = 20_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const operator_token = 'operator-token-of-the-fuzzer-0123456789';

await using gateway = await startGateway({
  env: { TRIVIUM_ADMIN_TOKEN: operator_token, TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000' },
});
const { body } = await gateway.get('/openapi.json');
const fault = await fuzz(gateway, body as Document, { cases, seed, operator_token });
process.stdout.write(`${cases} cases with seed ${seed}: ${fault ?? 'nothing found'}\n`);
process.exitCode = fault === undefined ? 0 : 1;
