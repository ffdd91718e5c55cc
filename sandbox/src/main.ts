// Runs the sandbox as a process and prints the gateway settings for it.
import { mounts, startSandbox } from './start.ts';

const sandbox = await startSandbox({
  port: Number(process.env['PORT'] ?? 8788),
  reader: process.env['TRIVIUM_READER'] === 'on',
});
const widest = Math.max(...mounts.map(({ setting }) => setting.length));

process.stdout.write(`The sandbox is listening on ${sandbox.url}\n\n`);
for (const { mount, setting } of mounts) {
  process.stdout.write(`  ${setting.padEnd(widest)}  ${sandbox.url}${mount}\n`);
}
process.stdout.write('\nAny key but "bad" is accepted. Faults: POST /__sandbox/faults\n');
