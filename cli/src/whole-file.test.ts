// Files of the command line: new ones for their owner only, whatever others put beside them.
import { expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from './whole-file.ts';

test('a link or a file of another person beside it is neither written nor used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-whole-'));
  const [file, victim] = [join(folder, 'report.csv'), join(folder, 'victim')];
  try {
    await writeFile(victim, 'kept', { mode: 0o644 });
    for (const write of ['text', (part: string) => writeFile(part, 'text')]) {
      for (const name of [file, `${file}.part`]) {
        await rm(name, { force: true });
        await symlink(victim, name);
      }
      await writeWhole(file, write);
      expect(await readFile(victim, 'utf8')).toBe('kept');
      expect(await readFile(file, 'utf8')).toBe('text');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const failing = writeWhole(file, () => Promise.reject(new Error('no space')));
    expect(await failing.catch(String)).toBe('Error: no space');
    expect(await readFile(file, 'utf8')).toBe('text');
    expect((await readdir(folder)).toSorted()).toEqual(['report.csv', 'report.csv.part', 'victim']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
