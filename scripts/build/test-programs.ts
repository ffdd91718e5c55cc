// The executable of the tests: the built command line, and the programs that tests start most. Its
// first argument is the path of a program, or a command.
const path = process.argv[2] ?? '';
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  'server/src/main.ts': () => import('../../server/src/main.ts'),
  'server/src/app/commands/audit.ts': () => import('../../server/src/app/commands/audit.ts'),
  'server/src/app/commands/maintain.ts': () => import('../../server/src/app/commands/maintain.ts'),
  'e2e/gateway-host.ts': () => import('../../e2e/gateway-host.ts'),
  'sandbox/src/main.ts': () => import('../../sandbox/src/main.ts'),
};
const program = programs[path];
// The gateway reads no arguments, but starts further processes of itself with the same ones.
if (program && path !== 'server/src/main.ts') process.argv.splice(2, 1);
await (program ?? (() => import('./program.ts')))();

export {};
