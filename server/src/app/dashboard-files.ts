// The dashboard's files: embedded by a build, or bundled when the page is first requested.
import { buildDashboard, pagePaths, toAsset } from '@trivium/dashboard';
import type { DashboardFiles, PageFile } from '../http/routes/dashboard/files.ts';
import { builtFiles } from '../platform/built-files.ts';

let building: Promise<ReadonlyMap<string, PageFile>> | undefined;

export const dashboardFiles: DashboardFiles = {
  pagePaths,
  load: () => {
    building ??= build();
    return building;
  },
};

async function build(): Promise<ReadonlyMap<string, PageFile>> {
  const assets = embeddedAssets() ?? (await buildDashboard());
  return new Map(assets.map((asset) => [asset.path, asset]));
}

function embeddedAssets(): PageFile[] | undefined {
  const encoder = new TextEncoder();
  return builtFiles?.dashboard.map(({ path, type, text }) =>
    toAsset(path, type, encoder.encode(text)),
  );
}
