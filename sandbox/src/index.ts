// The exports of the sandbox for other workspaces.
export { mounts, startSandbox } from './start.ts';
export type { Sandbox, SandboxOptions } from './start.ts';
