// The limits of a body that is a form.
import { expect, test } from 'bun:test';
import { readForm } from './body.ts';

const formOf = (fields: number) =>
  new Request('https://gateway.example/', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Array.from({ length: fields }, (_, at) => `a${at}=b`).join('&'),
  });

test('a form has at most 1000 fields', async () => {
  expect(await readForm(formOf(1000))).toHaveLength(1000);
  expect(readForm(formOf(1001))).rejects.toThrow('more than 1000 fields');
});
