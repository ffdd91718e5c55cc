// A ledger line in CSV keeps its values in a spreadsheet and never becomes a formula.
import { expect, test } from 'bun:test';
import { csvOf } from './export-transfers.ts';

const line = {
  id: 'top_1',
  kind: 'topup' as const,
  account_id: 'acct_1',
  amount_usd: -0.005,
  request_id: null,
  key_id: null,
  tool: null,
  provider: null,
  asked: null,
  simulated: false,
  balance_after_usd: null,
  created_at: '2026-11-15T10:00:00.000Z',
};

test('quotes, commas and line breaks of a reason stay inside its cell', () => {
  const text = csvOf([{ ...line, reason: 'paid by "Ada", in\nMay' }]);
  expect(text.split('\r\n')[1]).toBe(
    '2026-11-15T10:00:00.000Z,top_1,topup,-0.005,,"paid by ""Ada"", in\nMay",,,,,,acct_1,false,',
  );
});

test('a reason that looks like a formula is text, and a negative amount is a number', () => {
  const text = csvOf([{ ...line, reason: '=1+1' }]);
  expect(text).toContain(",-0.005,,'=1+1,");
});
