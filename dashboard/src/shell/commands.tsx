// The keys of the dashboard, and the button of the command menu, which is loaded at its first use.
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { lazyPage } from './lazy-page.ts';

const CommandMenu = lazyPage(async () => (await import('./command-menu.tsx')).CommandMenu);
const ShortcutHelp = lazyPage(async () => (await import('./shortcut-help.tsx')).ShortcutHelp);

/** On a Mac, Ctrl K edits text. */
const isMac = navigator.userAgent.includes('Mac');
export const menuKeys = isMac ? '⌘ K' : 'Ctrl K';

export function Commands() {
  const [open, setOpen] = useState<'menu' | 'help'>();
  // The browser reports the end of the menu late, when it may already have opened the help.
  const close = () => setOpen((now) => (now === open ? undefined : now));
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, shiftKey } = event;
    if (event.defaultPrevented || event.isComposing || altKey || open || isUnder('dialog[open]')) {
      return;
    }
    const act = isCommandKey(event)
      ? !shiftKey && key.toLowerCase() === 'k' && (() => setOpen('menu'))
      : !(event.ctrlKey || event.metaKey || isTaken(event.target)) && actOf(key);
    if (!act) return;
    event.preventDefault();
    act();
  });
  const actOf = (key: string): (() => void) | undefined => {
    if (key === '?') return () => setOpen('help');
    if (key === '/') return () => focusSearch() || setOpen('menu');
    if (key === 'j' || key === 'k') return () => focusRow(key === 'j' ? 1 : -1);
    return key === 'Enter' ? openRow() : undefined;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className="command-button" onClick={() => setOpen('menu')}>
        <Icon name="search" />
        <span>Search and commands</span>
        <kbd>{menuKeys}</kbd>
      </button>
      {open === undefined ? null : (
        <Suspense>
          {open === 'menu' ? (
            <CommandMenu onClose={close} onHelp={() => setOpen('help')} />
          ) : (
            <ShortcutHelp menuKeys={menuKeys} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  );
}

function isCommandKey({ ctrlKey, metaKey }: KeyboardEvent): boolean {
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** A field takes every key, and a panel and an open menu have keys of their own. */
function isTaken(target: EventTarget | null): boolean {
  const takers = 'input, textarea, select, [contenteditable], .panel';
  const isInside = target instanceof Element && target.closest(takers) !== null;
  return isInside || isUnder('[popover]:popover-open');
}

function isUnder(cover: string): boolean {
  return document.querySelector(cover) !== null;
}

/** False if the page has no search. */
function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]');
  const field = [...fields].find((one) => one.checkVisibility());
  field?.select();
  return field !== undefined;
}

const rowsOfLists = 'main .table-box tbody tr';

/** Moves the focus to the next or the previous row of the lists on the page. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(rowsOfLists)];
  const shown = rows.filter((row) => row.checkVisibility());
  const focused = shown.findIndex((row) => row.contains(document.activeElement));
  const at = focused === -1 ? shown.findIndex((row) => row.ariaCurrent === 'true') : focused;
  const next = at === -1 ? shown[0] : shown[at + step];
  if (!next) return;
  // Only now, because a click on a row must not give it the focus.
  next.tabIndex = -1;
  next.addEventListener('blur', () => next.removeAttribute('tabindex'), { once: true });
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

/** Opens the focused row, or else follows its first link. */
function openRow(): (() => void) | undefined {
  const row = document.activeElement;
  if (!(row instanceof HTMLElement) || !row.matches(rowsOfLists)) return undefined;
  const isOpenable = row.classList.contains('openable');
  return () => (isOpenable ? row : row.querySelector<HTMLElement>('a, button'))?.click();
}
