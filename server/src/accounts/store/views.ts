// Saved views of the dashboard's lists.
import type { ViewPage } from '@trivium/contract';
import { type Runner, table, text, textOf, whole } from '../../store/index.ts';

const views = table(
  'saved_views',
  {
    id: text,
    account_id: text,
    name: text,
    page: textOf<ViewPage>(),
    query: text,
    created_at: whole,
    updated_at: whole,
  },
  'view',
);

export type ViewRow = ReturnType<typeof views.read>;

export const insertViews = views.insert();
export const updateViews = views.pick('id', 'name', 'query', 'updated_at').update('id');
export const findView = views.by('id');

export function listViews(on: Runner, accountId: string): Promise<ViewRow[]> {
  return views.list(on, 'where account_id = $1 order by lower(name), id', [accountId]);
}

export function deleteView(on: Runner, id: string): Promise<ViewRow | undefined> {
  return views.change(on, 'delete from saved_views where id = $1', [id]);
}
