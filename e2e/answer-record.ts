// Records the status of every answer that a test gets, for the comparison with the API description.
import { appendFileSync } from 'node:fs';

/** The file that the test runner names, to which every test process appends. */
const recordFile = process.env['TRIVIUM_TEST_ANSWERS'];
const recorded = new Set<string>();

export function recordAnswer(method: string, path: string, status: number): void {
  if (recordFile === undefined || !described.test(path)) return;
  const [pathname = ''] = path.split('?', 1);
  const line = `${method} ${pathname} ${status}`;
  if (recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(recordFile, `${line}\n`);
}

const described = /^\/(?:v1|admin\/v1|oauth|\.well-known)\//;
