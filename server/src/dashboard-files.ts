// The dashboard's files, bundled when the page is first asked for and kept from then on.
import { buildDashboard, page_paths } from '@trivium/dashboard';
import type { DashboardFiles, PageFile } from './http/routes/dashboard.ts';

let building: Promise<ReadonlyMap<string, PageFile>> | undefined;

export const dashboard_files: DashboardFiles = {
  page_paths,
  load: () => {
    building ??= build();
    return building;
  },
};

async function build(): Promise<ReadonlyMap<string, PageFile>> {
  const assets = await buildDashboard();
  return new Map(assets.map((asset) => [asset.path, asset]));
}
