#!/usr/bin/env node
// `trivium` in a clone: runs the command line from source with the pinned Bun.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun } from '../../scripts/bun-binary.mjs';
import { runChild } from '../../scripts/child.mjs';
import { ensureInstalled } from '../../scripts/install.mjs';

const cli = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(cli);

try {
  const { bunVersion } = await ensureInstalled(root, { development: false });
  const args = [`${cli}/src/main.ts`, ...process.argv.slice(2)];
  process.exitCode = await runChild(findBun(root, bunVersion), args, { cwd: process.cwd() });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
