// The files of the dashboard and the documentation: embedded by a build, or made from their sources
// when one of them is first requested.
import { buildDashboard, pagePaths } from '@trivium/dashboard';
import { loadDocs } from '@trivium/docs';
import type { HttpContext, LoadFiles, WebFile } from '../http/index.ts';
import type { BuiltFile } from './built-files.ts';

export const dashboardFiles: HttpContext['dashboard'] = {
  pagePaths,
  load: once(async () => {
    const { builtFiles } = await import('./built-files.ts');
    return builtFiles ? builtFiles.dashboard.map(unpack) : buildDashboard();
  }),
};

export const docsFiles = once(async () => {
  const { builtFiles } = await import('./built-files.ts');
  return (builtFiles?.docs ?? (await loadDocs())).map(unpack);
});

function unpack({ path, type, base64 }: BuiltFile): WebFile {
  const gzipped = Uint8Array.fromBase64(base64);
  return { path, type, gzipped, body: Bun.gunzipSync(gzipped) };
}

/** What failed is tried again. */
function once(make: () => Promise<WebFile[]>): LoadFiles {
  let made: ReturnType<LoadFiles> | undefined;
  return () => {
    made ??= make().then(
      (files) => new Map(files.map((file) => [file.path, file])),
      (error: unknown) => {
        made = undefined;
        throw error;
      },
    );
    return made;
  };
}
