// The registry: every vendor the sandbox plays.
import type { Vendor } from '../vendor.ts';
import { exa } from './exa.ts';

export const vendors: Vendor[] = [exa];
