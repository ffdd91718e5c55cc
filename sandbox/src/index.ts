// The sandbox as other workspaces see it: start it, and know its mounts.
export { mounts, startSandbox } from './start.ts';
export type { Sandbox, SandboxOptions } from './start.ts';
