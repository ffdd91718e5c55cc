// The generated parts of the Python client are those that its sources give.
import { expect, test } from 'bun:test';
import { blockingText, generatedFiles, readGenerated } from './python-client.ts';

test.each([...generatedFiles()])('%s is up to date: npm run generate -- python', (name, text) => {
  expect(readGenerated(name)).toBe(text);
});

test('a blocking client awaits nothing', () => {
  const source = [
    'from ._async_admin_part import AsyncAdminPart',
    'from ._async import AsyncSender, sleep',
    'class AsyncKeys(AsyncAdminPart):',
    '    async def iterate(self, http: httpx.AsyncClient) -> AsyncIterator[Key]:',
    '        async for page in self._pages():',
    '            await sleep(1)',
  ];
  expect(blockingText(source.join('\n')).split('\n')).toEqual([
    'from ._admin_part import AdminPart',
    'from ._sync import Sender, sleep',
    'class Keys(AdminPart):',
    '    def iterate(self, http: httpx.Client) -> Iterator[Key]:',
    '        for page in self._pages():',
    '            sleep(1)',
  ]);
});
