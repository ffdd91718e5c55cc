// The menu of a list's saved views: opens one, and saves, overwrites, renames and deletes them.
import { useEffect, useId, useRef, useState } from 'react';
import type { SavedView, ViewPage } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { Link, setQuery, useLocation } from '../shell/router.tsx';
import { useMayChange, useSession } from '../shell/session.tsx';
import { ErrorNote } from './basics.tsx';
import { Confirm, FormDialog } from './dialog.tsx';
import { Input } from './field.tsx';
import { Icon } from './icon.tsx';
import { addressOfView, useViews, viewQueryOf } from './use-views.ts';

export function SavedViews({ page }: { page: ViewPage }) {
  const mayChange = useMayChange();
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { query } = useLocation();
  const views = useViews().filter((view) => view.page === page);
  const open = views.find(({ id }) => id === query.get('saved'));
  const shown = viewQueryOf(query);
  const isChanged = open !== undefined && open.query !== shown;
  const [dialog, setDialog] = useState<'save' | 'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  const overwrite = useAction((view: SavedView) => admin.views.update(view.id, { query: shown }));
  useEffect(() => menu.current?.hidePopover(), [open?.id, isChanged]);
  if (!mayChange && views.length === 0) return null;
  const choose = (text: string, run: () => void, isDanger = false) => (
    <button
      type="button"
      className={isDanger ? 'row-action danger' : 'row-action'}
      popoverTarget={menuId}
      popoverTargetAction="hide"
      onClick={run}
    >
      {text}
    </button>
  );
  return (
    <div className="views">
      <button type="button" className="button" popoverTarget={menuId}>
        <span className="short">{open?.name ?? 'Views'}</span>
        {isChanged ? <span className="soft">changed</span> : null}
        <Icon name="more" />
      </button>
      <div ref={menu} id={menuId} className="menu row-menu" popover="auto">
        {views.map((view) => (
          <Link
            key={view.id}
            to={addressOfView(view)}
            className="row-action"
            current={view.id === open?.id}
          >
            {view.name}
          </Link>
        ))}
        {mayChange ? (
          <div className="row-actions">
            {isChanged ? choose(`Overwrite “${open.name}”`, () => overwrite.run(open)) : null}
            {choose('Save as a new view', () => setDialog('save'))}
            {open ? choose('Rename', () => setDialog('rename')) : null}
            {open ? choose('Delete', () => setDialog('delete'), true) : null}
          </div>
        ) : null}
      </div>
      <ErrorNote error={overwrite.error} />
      {dialog === 'save' ? <NameForm page={page} query={shown} onClose={close} /> : null}
      {dialog === 'rename' ? <NameForm page={page} of={open} onClose={close} /> : null}
      {dialog === 'delete' && open ? <DeleteView of={open} onClose={close} /> : null}
    </div>
  );
}

interface NameFormProps {
  page: ViewPage;
  /** Of a new view. */
  query?: string;
  of?: SavedView | undefined;
  onClose: () => void;
}

function NameForm({ page, query = '', of, onClose }: NameFormProps) {
  const { account } = useSession();
  const idempotencyKey = useIdempotencyKey();
  const form = useForm(
    { name: of?.name ?? '' },
    async ({ name }) => {
      if (of) return admin.views.update(of.id, { name });
      const once = { idempotency_key: idempotencyKey };
      const made = await admin.views.create(account.id, { name, page, query }, once);
      setQuery({ saved: made.id });
      return made;
    },
    onClose,
  );
  return (
    <FormDialog
      title={of ? 'Rename this view' : 'Save as a view'}
      submit={of ? 'Rename' : 'Save'}
      form={form}
      note={of ? undefined : 'Everyone who can see this account can open it.'}
      onClose={onClose}
    >
      <Input label="Name" required {...form.field('name')} />
    </FormDialog>
  );
}

function DeleteView({ of: view, onClose }: { of: SavedView; onClose: () => void }) {
  const action = useAction(
    () => admin.views.delete(view.id),
    () => {
      setQuery({ saved: undefined });
      onClose();
    },
  );
  return (
    <Confirm
      title={`Delete the view “${view.name}”?`}
      submit="Delete this view"
      action={action}
      onClose={onClose}
    >
      <p>It disappears for everyone who can see this account. The list itself stays as it is.</p>
    </Confirm>
  );
}
