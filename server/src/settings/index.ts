// The parts of settings that other modules may use.
export {
  addressesIn,
  databaseIn,
  databaseUrl,
  isUnprepared,
  nameOfDatabase,
  withoutPrepare,
} from './database-url.ts';
export type { BucketSettings, ShadowSettings, SingleSignOn } from './groups.ts';
export {
  dataDirOf,
  type Declaration,
  type Environment,
  isMode,
  logKeptMs,
  type Mode,
  readSettings,
  readUpstreams,
  type Settings,
  type Upstream,
  type Upstreams,
} from './settings.ts';
