// The programs that one package script starts by name: `npm run bench -- guard`.
// Without a name, the first program of the group runs.

const gateway = 'server/src/main.ts';

/** Each name with a file, relative to the project's root, and arguments that it always gets. */
const groups = {
  test: {
    all: ['scripts/test.ts'],
    long: ['scripts/test.ts', '--long'],
    applications: ['e2e/applications/main.ts'],
    deploy: ['e2e/deploy/main.ts'],
    generators: ['e2e/generators/main.ts'],
    mutate: ['scripts/mutate/main.ts'],
    vendors: ['e2e/vendors/main.ts'],
    requests: ['e2e/vendors/compare-versions.ts'],
  },
  build: {
    program: ['scripts/build/main.ts'],
    image: ['scripts/build/image.ts'],
    npm: ['scripts/build/npm.ts'],
    python: ['scripts/build/wheel.ts'],
  },
  generate: {
    clients: ['scripts/clients.ts'],
    docs: ['scripts/provider-docs.ts'],
    pictures: ['e2e/browser/pictures.ts'],
    'released-store': ['e2e/released-store/make.ts'],
    size: ['scripts/size.ts'],
  },
  release: { release: ['scripts/release.ts'], sbom: ['scripts/sbom.ts'] },
  simulate: {
    world: ['server/test/simulation/world/main.ts'],
    defects: ['server/test/simulation/defects/main.ts'],
  },
  bench: {
    overhead: ['bench/overhead.ts'],
    cache: ['bench/cache.ts'],
    choice: ['bench/choice.ts'],
    consensus: ['bench/consensus.ts'],
    content: ['bench/content.ts'],
    edge: ['bench/edge.ts'],
    extract: ['bench/extract.ts'],
    figures: ['bench/figures.ts'],
    fusion: ['bench/fusion.ts'],
    growth: ['bench/growth.ts'],
    guard: ['bench/guard.ts'],
    jobs: ['bench/jobs.ts'],
    ledger: ['bench/ledger.ts'],
    log: ['bench/log.ts'],
    memory: ['bench/memory.ts'],
    migrations: ['bench/migrations.ts'],
    overview: ['bench/overview.ts'],
    path: ['bench/request-path.ts'],
    readers: ['bench/readers.ts'],
    scale: ['bench/scale.ts'],
    search: ['bench/search-cpu.ts'],
    slices: ['bench/slices.ts'],
    uploads: ['bench/uploads.ts'],
  },
};

/** Paths are arguments of `npm test`, so it has an option for the name. */
const options = { test: '--suite' };

/**
 * Returns the file and its arguments for `<group> [name] [arguments]`, an error if the group has no
 * such program, or nothing if the first argument is not a group.
 */
export function findProgram([group, ...args]) {
  // The command line knows the options of the gateway. Without any, its process is not needed.
  if (group === 'start') {
    return { command: args.length > 0 ? ['cli/src/main.ts', 'serve', ...args] : [gateway] };
  }
  if (!Object.hasOwn(groups, group ?? '')) return undefined;
  const programs = groups[group];
  const option = options[group];
  const [first] = Object.keys(programs);
  const isNamed = option === undefined ? /^[a-z]/.test(args[0] ?? '') : args[0] === option;
  const [name, rest] = isNamed
    ? [args[option === undefined ? 0 : 1], args.slice(option === undefined ? 1 : 2)]
    : [first, args];
  if (Object.hasOwn(programs, name ?? '')) return { command: [...programs[name], ...rest] };
  return { error: `There is no ${group} ${name ?? ''}. Use ${Object.keys(programs).join(', ')}.` };
}
