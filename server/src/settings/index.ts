// The parts of settings that other modules may use.
export type { BucketSettings } from './bucket-setting.ts';
export {
  addressesIn,
  databaseIn,
  databaseUrl,
  isUnprepared,
  nameOfDatabase,
  withoutPrepare,
} from './database-url.ts';
export { dataDirOf, isMode, type Mode } from './mode.ts';
export { type Environment, logKeptMs, readSettings, type Settings } from './settings.ts';
export type { ShadowSettings } from './shadow-settings.ts';
export type { SingleSignOn } from './single-sign-on.ts';
export { type Declaration, readUpstreams, type Upstream, type Upstreams } from './upstreams.ts';
