// Starts a TypeScript file of the project with the pinned Bun, so that Node and npm are enough.
// Called as `node scripts/run.mjs [bun flags] <entry.ts> [arguments]`, from any folder, or with a group
// and a name from programs.mjs instead of the entry.
import { existsSync } from 'node:fs';
import { delimiter, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun } from './bun-binary.mjs';
import { bunSettings } from './bun-settings.mjs';
import { runChild } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { findProgram } from './programs.mjs';

const oldestNode = 20;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

process.exit(await run(process.argv.slice(2)));

async function run(given) {
  const at = given.findIndex((argument) => !argument.startsWith('-'));
  const program = at < 0 ? undefined : findProgram(given.slice(at));
  if (program?.error) return refuse(program.error);
  const args = program ? [...given.slice(0, at), ...program.command] : given;
  const entry = args[at];
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    return refuse(
      `Node ${process.versions.node} is too old: please use Node ${oldestNode} or newer.`,
    );
  }
  if (entry === undefined || !existsSync(resolve(root, entry))) {
    return refuse(`There is no ${entry ?? 'entry'} to run: pass a file relative to ${root}.`);
  }
  try {
    const installed = await ensureInstalled(root, { development: needsDevelopmentPackages(entry) });
    const bun = findBun(root, installed.bunVersion);
    return await runChild(bun, args, { cwd: root, env: childEnvironment() });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

// After `npm ci --omit=dev` the gateway must start without another install.
function needsDevelopmentPackages(entry) {
  return !/^(server|sandbox|cli)[\\/]/.test(relative(root, resolve(root, entry)));
}

// The folder of this Node comes first, so that tools started by Bun use the same one.
function childEnvironment() {
  const path = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter);
  return { ...bunSettings, ...process.env, PATH: path };
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
