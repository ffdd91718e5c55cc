// Starts a TypeScript file of the project with the pinned Bun, so that Node and npm are enough.
// Called as `node scripts/run.mjs [bun flags] <entry.ts> [arguments]`, from any folder.
import { existsSync } from 'node:fs';
import { delimiter, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun } from './bun-binary.mjs';
import { runChild } from './child.mjs';
import { ensureInstalled } from './install.mjs';

const OLDEST_NODE = 20;
const BUN_SETTINGS = {
  // Bun reads 1 to 65535; its default of 256 would make slow upstreams queue behind each other.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  // On machines above 16 GB the heap may grow threefold before it is collected, elsewhere twofold.
  BUN_JSC_heapGrowthMaxIncrease: '1',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

process.exit(await run(process.argv.slice(2)));

async function run(args) {
  const entry = args.find((argument) => !argument.startsWith('-'));
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    return refuse(
      `Node ${process.versions.node} is too old: please use Node ${OLDEST_NODE} or newer.`,
    );
  }
  if (entry === undefined || !existsSync(resolve(root, entry))) {
    return refuse(`There is no ${entry ?? 'entry'} to run: name a file relative to ${root}.`);
  }
  try {
    const installed = await ensureInstalled(root, { development: needsDevelopmentPackages(entry) });
    const bun = findBun(root, installed.bunVersion);
    return await runChild(bun, args, { cwd: root, env: childEnvironment() });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

// A machine installed with `npm ci --omit=dev` must start the gateway without another install.
function needsDevelopmentPackages(entry) {
  return !/^(server|sandbox)[\\/]/.test(relative(root, resolve(root, entry)));
}

// The folder of this very Node goes first, so that tools started by Bun find the same one.
function childEnvironment() {
  const path = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter);
  return { ...BUN_SETTINGS, ...process.env, PATH: path };
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
