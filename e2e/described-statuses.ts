// Compares the answers that tests got with the statuses that the API description lists.

interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Answers are lines such as `GET /v1/jobs/job_1 200`; of each operation and status one is listed. */
export function findUndescribed(answers: readonly string[], { paths }: Description): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      segments: path.split('/'),
      statuses: statusesOf(operation),
    })),
  );
  const faults = new Map<string, string>();
  for (const answer of answers) {
    const [method = '', path = '', status = ''] = answer.split(' ');
    const segments = path.split('/');
    const operation =
      operations.find((one) => one.method === method && one.path === path) ??
      operations.find((one) => one.method === method && matches(one.segments, segments));
    if (operation === undefined || operation.statuses.has(status)) continue;
    faults.set(
      `${method} ${operation.path} ${status}`,
      `${answer}: the description of ${method} ${operation.path} does not list this status`,
    );
  }
  return [...faults.values()].toSorted();
}

function statusesOf(operation: unknown): Set<string> {
  const { responses } = operation as { responses?: Readonly<Record<string, unknown>> };
  return new Set(Object.keys(responses ?? {}));
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part.startsWith('{') || part === segments[at])
  );
}
