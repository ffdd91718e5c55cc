#!/usr/bin/env node
// `trivium` of the npm package: Node finds the Bun that npm installed beside it, and Bun runs it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun } from './bun-binary.mjs';
import { bunSettings } from './bun-settings.mjs';
import { runChild } from './child.mjs';

const here = dirname(fileURLToPath(import.meta.url));

try {
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const installed = dirname(createRequire(import.meta.url).resolve('bun/package.json'));
  const bun = findBun(dirname(dirname(installed)), dependencies.bun);
  // Files of the caller's folder must not change what runs: only its .env is read.
  const flags = [`--config=${join(here, 'bunfig.toml')}`, '--no-install'];
  const args = [...flags, join(here, 'program.js'), ...process.argv.slice(2)];
  const env = { ...bunSettings, ...process.env };
  process.exitCode = await runChild(bun, args, { cwd: process.cwd(), env });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
