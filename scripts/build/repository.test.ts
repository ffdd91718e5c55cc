// The address of the sources that packages state.
import { expect, test } from 'bun:test';
import { publicAddress } from './repository.ts';

test.each([
  ['https://forge.example/team/trivium.git', 'https://forge.example/team/trivium'],
  ['https://forge.example/team/trivium/', 'https://forge.example/team/trivium'],
  ['https://me:secret@forge.example/team/trivium', 'https://forge.example/team/trivium'],
  ['https://forge.example:8443/trivium.git', 'https://forge.example:8443/trivium'],
  ['git@forge.example:team/trivium.git', 'https://forge.example/team/trivium'],
  ['ssh://git@forge.example/team/trivium.git', 'https://forge.example/team/trivium'],
  ['/srv/git/trivium', undefined],
  ['file:///srv/git/trivium', undefined],
  ['http://forge.example/trivium', undefined],
  ['', undefined],
])('%s is published as %s', (remote, address) => {
  expect(publicAddress(remote)).toBe(address);
});
