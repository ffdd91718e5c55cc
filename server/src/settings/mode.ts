// The mode of a gateway: live, or sandbox, where every vendor is simulated and money is not real.
// Each mode has its own embedded store.
import { join } from 'node:path';

export type Mode = 'live' | 'sandbox';

export function isMode(value: unknown): value is Mode {
  return value === 'live' || value === 'sandbox';
}

type SandboxSetting = 'auto' | 'on' | 'off';

/** `auto` means the sandbox as long as no vendor is configured. */
export function modeOf(setting: SandboxSetting, configuredVendors: number): Mode {
  if (setting === 'auto') return configuredVendors === 0 ? 'sandbox' : 'live';
  return setting === 'on' ? 'sandbox' : 'live';
}

/** The sandbox has its own folder, so that play money never becomes a live balance. */
export function dataDirOf(configured: string, mode: Mode): string {
  return mode === 'sandbox' ? join(configured, 'sandbox') : configured;
}
