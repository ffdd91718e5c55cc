// What a build embeds besides code: the dashboard and the documentation, made now and not at the first
// request.
import type { BunPlugin } from 'bun';
import { buildDashboard } from '@trivium/dashboard';
import { loadDocs } from '@trivium/docs';
import type { BuiltFiles } from '../../server/src/app/built-files.ts';

export async function collectFiles(): Promise<BuiltFiles> {
  const assets = await buildDashboard();
  return {
    docs: await loadDocs(),
    dashboard: assets.map(({ path, type, gzipped }) => ({
      path,
      type,
      base64: gzipped.toBase64(),
    })),
  };
}

export function embedFiles(files: BuiltFiles): BunPlugin {
  return {
    name: 'embedded files',
    setup: (build) => {
      build.onLoad({ filter: /server[\\/]src[\\/]app[\\/]built-files\.ts$/ }, () => ({
        loader: 'ts',
        contents: `export const builtFiles = ${JSON.stringify(files)};`,
      }));
    },
  };
}
