// The router: the URL is the only state, so that every view has a link.
import { useSyncExternalStore } from 'react';
import type { MouseEvent, ReactNode } from 'react';

interface PageLocation {
  path: string;
  query: URLSearchParams;
}

export function useLocation(): PageLocation {
  const address = useSyncExternalStore(
    subscribe,
    () => location.pathname + location.search,
    () => '/',
  );
  const url = new URL(address, 'http://page.invalid');
  return { path: url.pathname, query: url.searchParams };
}

/** The chosen account stays in the address from page to page. */
export function withAccount(address: string): string {
  const account = new URLSearchParams(location.search).get('account');
  const url = new URL(address, location.origin);
  if (account === null || url.searchParams.has('account')) return address;
  url.searchParams.set('account', account);
  return url.pathname + url.search;
}

/** A query string of the values that are set. */
/** Empty values are left out. */
export function withQuery(path: string, query: object) {
  const given = Object.entries<string | number | undefined>({ ...query });
  const set = given.flatMap(([name, value = '']) => (value === '' ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(set).toString();
  return text === '' ? path : `${path}?${text}`;
}

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  for (const listener of listeners) listener();
}

/** The current URL with some query parameters changed; empty values are removed. */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  how: 'push' | 'replace' = 'replace',
): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  navigate(url.pathname + url.search, how);
}

/** Opens a detail of this page, which Back closes. */
export function openDetail(name: string, id: string): void {
  // Opening another detail of the same list replaces the entry, so that Back still closes the
  // detail.
  const isOpen = history.state === openedHere && new URL(location.href).searchParams.has(name);
  setQuery({ [name]: id }, isOpen ? 'replace' : 'push');
  history.replaceState(openedHere, '');
}

/**
 * Goes back if the detail was opened here. A detail that was opened by a link is removed from the
 * address.
 */
export function closeDetail(name: string): void {
  if (history.state === openedHere) history.back();
  else setQuery({ [name]: undefined });
}

/** Opens the next page of a list; Back returns to the previous one. */
export function openPage(name: string, cursor: string): void {
  setQuery({ [name]: cursor }, 'push');
  history.replaceState(pagedHere, '');
  window.scrollTo(0, 0);
}

/**
 * Goes back to the previous page. A page that was opened by a link is replaced by the first page.
 */
export function leavePage(name: string): void {
  if (history.state === pagedHere) history.back();
  else setQuery({ [name]: undefined });
}

const pagedHere = 'page';
const openedHere = 'detail';
const returnKey = 'trivium-return';

/** Called before the browser leaves for the identity provider, which always returns to `/`. */
export function keepReturnAddress(): void {
  if (location.pathname === '/sign-in') return;
  sessionStorage.setItem(returnKey, location.pathname + location.search);
}

/** Returns the address that the person left, once. */
export function takeReturnAddress(): string | undefined {
  const kept = sessionStorage.getItem(returnKey) ?? undefined;
  sessionStorage.removeItem(returnKey);
  return kept;
}

let isSendAwaited = false;

/**
 * The playground sends the request that the next address fills in. This is remembered here and not
 * in the address, because a link must never spend money.
 */
export function sendOnArrival(): void {
  isSendAwaited = true;
}

/** Returns true once. */
export function takeSendOnArrival(): boolean {
  const taken = isSendAwaited;
  isSendAwaited = false;
  return taken;
}

interface LinkProps {
  to: string;
  children: ReactNode;
  className?: string;
  current?: boolean;
}

/** A plain click stays in the app; the browser handles clicks that open a new tab or window. */
export function followLink(event: MouseEvent, to: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  navigate(withAccount(to));
  window.scrollTo(0, 0);
}

export function Link({ to, children, className, current }: LinkProps) {
  return (
    <a
      href={withAccount(to)}
      onClick={(event) => followLink(event, to)}
      {...(className === undefined ? {} : { className })}
      {...(current ? { 'aria-current': 'page' as const } : {})}
    >
      {children}
    </a>
  );
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}
