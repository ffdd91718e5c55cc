// The dashboard's files: embedded by a build, or bundled when the page is first requested.
import { buildDashboard, pagePaths } from '@trivium/dashboard';
import type { DashboardFiles, PageFile } from '../http/index.ts';

let building: Promise<ReadonlyMap<string, PageFile>> | undefined;

export const dashboardFiles: DashboardFiles = {
  pagePaths,
  load: () => {
    building ??= build();
    return building;
  },
};

async function build(): Promise<ReadonlyMap<string, PageFile>> {
  const assets = (await embeddedAssets()) ?? (await buildDashboard());
  return new Map(assets.map((asset) => [asset.path, asset]));
}

async function embeddedAssets(): Promise<PageFile[] | undefined> {
  const { builtFiles } = await import('./built-files.ts');
  return builtFiles?.dashboard.map(({ path, type, base64 }) => {
    const gzipped = Uint8Array.fromBase64(base64);
    return { path, type, gzipped, body: Bun.gunzipSync(gzipped) };
  });
}
