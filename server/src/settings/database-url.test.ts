// The address of a PostgreSQL as operators write it: one host or several, odd passwords, poolers.
import { describe, expect, test } from 'bun:test';
import {
  addressesIn,
  databaseIn,
  isUnprepared,
  nameOfDatabase,
  withoutPrepare,
} from './database-url.ts';

describe('the servers of a URL', () => {
  test.each([
    ['postgres://h/db', ['postgres://h/db']],
    ['postgresql://u:p@h:5432/db?sslmode=require', ['postgresql://u:p@h:5432/db?sslmode=require']],
    ['postgres://u:p@one:1,two:2/db', ['postgres://u:p@one:1/db', 'postgres://u:p@two:2/db']],
    ['postgres://u:a,b@one,two/db', ['postgres://u:a,b@one/db', 'postgres://u:a,b@two/db']],
    ['postgres://u:a@b@one/db', ['postgres://u:a@b@one/db']],
    ['postgres://[::1]:5432,h/db', ['postgres://[::1]:5432/db', 'postgres://h/db']],
    ['postgres:///db', ['postgres:///db']],
    [
      'postgres://one,two/db?target_session_attrs=read-write&sslmode=require',
      ['postgres://one/db?sslmode=require', 'postgres://two/db?sslmode=require'],
    ],
    ['postgres://one,two/db?target_session_attrs=any', ['postgres://one/db', 'postgres://two/db']],
  ])('%s', (url, addresses) => {
    expect(addressesIn(url)).toEqual(addresses);
  });
});

test('the name for the log has every host and no password', () => {
  expect(nameOfDatabase('postgres://u:secret@one:1,two:2/db?x=1')).toBe(
    'PostgreSQL at one:1,two:2/db',
  );
  expect(nameOfDatabase('postgres://u:se@cret@one/db')).toBe('PostgreSQL at one/db');
  expect(databaseIn('postgres://u@one,two/my%20db')).toBe('my db');
});

test('prepare=false is read and not sent to the server', () => {
  expect(isUnprepared('postgres://h/db?prepare=false')).toBe(true);
  expect(isUnprepared('postgres://h/prepare=false')).toBe(false);
  expect(isUnprepared('postgres://h/db?noprepare=falsehood')).toBe(false);
  expect(withoutPrepare('postgres://h/db?prepare=false')).toBe('postgres://h/db');
  expect(withoutPrepare('postgres://h/db?a=1&prepare=false&b=2')).toBe('postgres://h/db?a=1&b=2');
  expect(withoutPrepare('postgres://h/db?prepare=false&b=2')).toBe('postgres://h/db?b=2');
});
