// Weeks begin on Mondays, in code as in SQL.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { dayMs } from '@trivium/contract/durations';
import { dayOf, mondayOf, mondaySql } from './days.ts';

test('every day belongs to the week of the last Monday', () => {
  for (const start of ['1969-12-29', '1970-01-05', '2026-11-16', '2028-02-28']) {
    const monday = dayOf(Date.parse(start));
    expect(new Date(monday * dayMs).getUTCDay()).toBe(1);
    const days = Array.from({ length: 8 }, (_none, at) => mondayOf(monday + at));
    expect(days).toEqual([...Array.from({ length: 7 }, () => monday), monday + 7]);
  }
});

test('a statement finds the same Mondays', () => {
  using database = new Database(':memory:');
  const statement = database.query<{ monday: number }, [number]>(
    `select ${mondaySql('day')} as monday from (select ? as day)`,
  );
  for (let day = 4; day < 30_000; day += 1) {
    expect(statement.get(day)?.monday).toBe(mondayOf(day));
  }
});
