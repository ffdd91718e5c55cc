// The settings that a gateway runs with, as operators read them.
import { z } from 'zod';
import { ProviderId } from './ids.ts';

export const SettingLine = z
  .object({
    name: z.string().describe('The environment variable.'),
    value: z
      .string()
      .nullable()
      .describe('The value that applies; null if there is none or if hidden.'),
    is_set: z.boolean().describe('False if the value is the default.'),
    is_secret: z.boolean().describe('Whether the value is hidden.'),
    provider: ProviderId.nullable().describe('The provider it belongs to; null for the gateway.'),
  })
  .describe('A setting and its value.');
export type SettingLine = z.infer<typeof SettingLine>;

export const SettingsView = z
  .object({
    version: z.string().describe('The version of the gateway.'),
    mode: z.enum(['live', 'sandbox']).describe('Whether the sandbox simulates every vendor.'),
    store: z.enum(['sqlite', 'postgres']).describe('The kind of store.'),
    settings: z.array(SettingLine).describe('Every setting, those of the gateway first.'),
  })
  .describe('The settings of this gateway; secrets are hidden.');
export type SettingsView = z.infer<typeof SettingsView>;
