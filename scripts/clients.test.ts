// The generated parts of the clients are those that their sources give.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'bun:test';
import { projectRoot } from './command.ts';
import { generatedFiles } from './clients.ts';
import { blockingText } from './python-client.ts';

test.each([...generatedFiles()])('%s is up to date: npm run generate -- clients', (path, text) => {
  expect(readFileSync(join(projectRoot, path), 'utf8')).toBe(text);
});

test('a blocking client awaits nothing', () => {
  const source = [
    'from ._async_admin import AsyncAdminPart',
    'from ._async import AsyncSender, sleep',
    'class AsyncKeys(AsyncAdminPart):',
    '    async def iterate(self, http: httpx.AsyncClient) -> AsyncIterator[Key]:',
    '        async for page in self._pages():',
    '            await sleep(1)',
  ];
  expect(blockingText(source.join('\n')).split('\n')).toEqual([
    'from ._admin import AdminPart',
    'from ._sync import Sender, sleep',
    'class Keys(AdminPart):',
    '    def iterate(self, http: httpx.Client) -> Iterator[Key]:',
    '        for page in self._pages():',
    '            sleep(1)',
  ]);
});
