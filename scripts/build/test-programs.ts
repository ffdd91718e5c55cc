// The programs that tests start most, in one executable. It is called with the path of a program.
const path = process.argv[2] ?? '';
const load: Readonly<Record<string, () => Promise<unknown>>> = {
  'server/src/main.ts': () => import('../../server/src/main.ts'),
  'server/src/app/commands/audit.ts': () => import('../../server/src/app/commands/audit.ts'),
  'server/src/app/commands/maintain.ts': () => import('../../server/src/app/commands/maintain.ts'),
  'sandbox/src/main.ts': () => import('../../sandbox/src/main.ts'),
};
// The gateway reads no arguments, but starts further processes of itself with the same ones.
if (path !== 'server/src/main.ts') process.argv.splice(2, 1);
const program = load[path];
if (program === undefined) throw new Error(`There is no program ${path}.`);
await program();

export {};
