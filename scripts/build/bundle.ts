// Bundles the program with its threads, as files for the npm package or as one executable.
import { join } from 'node:path';
import type { BunPlugin } from 'bun';
import { collectFiles, embedFiles } from './embedded.ts';
import { quickPasswords } from './quick-passwords.ts';
import { findThreads } from './threads.ts';

const program = join(import.meta.dir, 'program.ts');

export interface ForeignPlatform {
  target: Bun.Build.CompileTarget;
  /** The Bun of that platform. */
  executablePath: string;
}

interface Bundler {
  /** Writes program.js and its threads into a folder. */
  toFolder: (folder: string) => Promise<void>;
  /** Writes one executable, for this platform unless another one is named. */
  toExecutable: (outfile: string, foreign?: ForeignPlatform) => Promise<void>;
  /** Writes the executable of the tests, which start it several hundred times. */
  toTestPrograms: (outfile: string) => Promise<void>;
}

export async function makeBundler(): Promise<Bundler> {
  const { entries, plugin } = findThreads();
  const plugins: BunPlugin[] = [plugin, embedFiles(await collectFiles())];
  const shared = {
    entrypoints: [program, ...entries],
    target: 'bun',
    format: 'esm',
    naming: '[name].[ext]',
    splitting: true,
    // Names are kept, so that stack traces in a log are readable.
    minify: { whitespace: true, syntax: true },
    plugins,
  } as const;
  return {
    toFolder: async (outdir) => {
      check(await Bun.build({ ...shared, entrypoints: [...shared.entrypoints], outdir }));
    },
    toExecutable: async (outfile, foreign) => {
      // A bunfig.toml in the folder of the caller could load code into the gateway.
      const compile = { outfile, autoloadBunfig: false, ...foreign };
      check(await Bun.build({ ...shared, entrypoints: [...shared.entrypoints], compile }));
    },
    toTestPrograms: async (outfile) => {
      const entrypoints = [join(import.meta.dir, 'test-programs.ts'), ...entries];
      const compile = { outfile, autoloadBunfig: false };
      const inTests = { plugins: [...plugins, quickPasswords], compile, bytecode: true };
      check(await Bun.build({ ...shared, entrypoints, ...inTests }));
    },
  };
}

function check({ success, logs }: Bun.BuildOutput): void {
  if (!success) throw new Error(logs.map(String).join('\n'));
}
