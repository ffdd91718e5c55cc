// The program of `npm run dashboard:dev`: serves the dashboard from its sources, builds it again when
// a file changes, and sends everything else to a running gateway.
import { join } from 'node:path';
import { projectRoot } from './command.ts';
import { startDevServer } from './dev-server.ts';

const gateway = process.env['TRIVIUM_URL'] ?? 'http://127.0.0.1:8787';
const server = await startDevServer({
  gateway,
  port: Number(process.env['PORT'] ?? 5173),
  folder: join(projectRoot, 'dashboard', 'src'),
  say: (line) => void process.stdout.write(`${line}\n`),
});
process.stdout.write(`The dashboard at ${server.url}, on the gateway at ${gateway}\n`);
