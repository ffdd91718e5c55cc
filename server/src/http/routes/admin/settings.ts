// GET /admin/v1/settings: what this gateway runs with, for operators.
import { version } from '@trivium/contract';
import type { SettingsView } from '@trivium/contract';
import type { AccountsContext } from '../../../accounts/index.ts';
import type { Settings } from '../../../settings/index.ts';
import { admin } from './routes.ts';
import type { Route } from '../../route.ts';

interface SettingsContext extends Pick<AccountsContext, 'database'> {
  settings: Pick<Settings, 'displayed' | 'mode'>;
}

export function settingsRoutes({ settings, database }: SettingsContext): Route[] {
  const view = (): SettingsView => ({
    version,
    mode: settings.mode,
    store: database.engine,
    settings: [...settings.displayed],
  });
  return [admin('GET', '/settings', { scope: 'gateway', handle: () => Response.json(view()) })];
}
