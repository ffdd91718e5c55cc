// What the command menu offers for a text: only what this person may see and do.
import { useEffect, useState } from 'react';
import type { Found } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { useAccounts } from '../api/names.ts';
import type { IconName } from '../components/icon.tsx';
import { addressOfView, useViews } from '../components/use-views.ts';
import { chooseTheme } from '../theme.ts';
import { useLeave } from './leave.ts';
import { usePages } from './pages.tsx';
import { navigate, withAccount } from './router.tsx';
import { useIsOperator, useMayChange, useSession } from './session.tsx';

export interface Command {
  id: string;
  icon: IconName;
  name: string;
  hint?: string | undefined;
  run: () => void;
}

type Group = readonly [title: string, commands: readonly Command[]];

/** Of each group. */
const maxShown = 20;

export function useCommands(text: string, onHelp: () => void) {
  const words = text.trim().toLowerCase();
  const pages = usePages();
  const titleOf = (path: string) => pages.find((page) => page.path === path)?.title;
  const known: readonly Group[] = [
    ['Pages', pages.map(({ path, title, icon }) => to(path, icon ?? 'profile', title))],
    [
      'Saved views',
      useViews().map((view) => to(addressOfView(view), 'page', view.name, titleOf(view.page))),
    ],
    ['Actions', useActions(onHelp)],
  ];
  const { found, searching } = useFound(words);
  // What is found arrives later, so it is last: what was chosen keeps its place.
  const groups = [
    ...known.map(([title, all]) => [title, matching(all, words)] as const),
    ['Found', found] as const,
  ];
  return { searching, groups: groups.filter(([, commands]) => commands.length > 0) };
}

function to(address: string, icon: IconName, name: string, hint?: string): Command {
  const run = () => {
    navigate(withAccount(address));
    window.scrollTo(0, 0);
  };
  return { id: address, icon, name, hint, run };
}

/** Those with every word, and first those that begin with the text. */
function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.split(/\s+/);
  const begins = ({ name }: Command) => Number(name.toLowerCase().startsWith(text));
  return commands
    .filter(({ name, hint = '' }) => {
      const own = `${name} ${hint}`.toLowerCase();
      return words.every((word) => own.includes(word));
    })
    .toSorted((one, other) => begins(other) - begins(one))
    .slice(0, maxShown);
}

function useActions(onHelp: () => void): readonly Command[] {
  const operator = useIsOperator();
  const mayChange = useMayChange();
  const leave = useLeave();
  const act = (name: string, icon: IconName, run: () => void) => ({ id: name, name, icon, run });
  return [
    ...(mayChange
      ? [
          to('/keys?open=create', 'keys', 'Create a key'),
          to('/webhooks?open=create', 'webhooks', 'Add a webhook endpoint'),
          to('/usage?open=create', 'usage', 'Set a budget'),
          to('/playground?tool=search', 'playground', 'Search the web'),
          to('/playground?tool=extract', 'playground', 'Extract pages'),
          to('/playground?tool=transcription', 'playground', 'Transcribe a recording'),
        ]
      : []),
    ...(operator
      ? [
          to('/billing?open=topUp', 'billing', 'Top up this account'),
          to('/people?open=invite', 'people', 'Invite a person'),
          to('/people?open=account', 'people', 'Create an account'),
        ]
      : []),
    act('Theme: light', 'overview', () => chooseTheme('light')),
    act('Theme: dark', 'overview', () => chooseTheme('dark')),
    act('Theme: as the system', 'overview', () => chooseTheme('auto')),
    act('Keyboard shortcuts', 'docs', onHelp),
    act('Documentation', 'docs', () => location.assign('/docs')),
    act('Sign out', 'profile', () => leave.run(false)),
    act('Sign out everywhere', 'profile', () => leave.run(true)),
  ];
}

/** Icon, title and address of what the gateway finds. */
const kinds: Readonly<Record<Found['kind'], readonly [IconName, string, string]>> = {
  request: ['requests', 'Request', '/requests?request='],
  job: ['jobs', 'Job', '/jobs?job='],
  key: ['keys', 'Key', '/keys?key='],
  account: ['billing', 'Account', '/?account='],
  person: ['people', 'Person', '/people?person='],
};

const searchAfterMs = 150;

/** The gateway decides what this person may find: operators find things of every account. */
function useFound(words: string): { found: Command[]; searching: boolean } {
  const { account } = useSession();
  const operator = useIsOperator();
  const accounts = useAccounts(operator);
  const text = useSettled(words, searchAfterMs);
  const query = { text, ...(operator ? {} : { account_id: account.id }) };
  const { data, loading } = useLoad(text === '' ? undefined : ['find', query], () =>
    admin.find(query),
  );
  const found = (data?.found ?? []).map(({ kind, id, account_id: of, name }) => {
    const [icon, title, address] = kinds[kind];
    const isElsewhere = of !== null && of !== account.id && kind !== 'account';
    const owner = accounts.find((one) => one.id === of)?.name ?? of;
    return to(
      `${address}${encodeURIComponent(id)}${isElsewhere ? `&account=${of}` : ''}`,
      icon,
      name ?? id,
      `${title}${isElsewhere ? ` of ${owner}` : ''}${name === null ? '' : `, ${id}`}`,
    );
  });
  const isSettled = text === words;
  return { found: isSettled ? found : [], searching: words !== '' && (!isSettled || loading) };
}

/** The value, once it has not changed for a while. */
function useSettled(value: string, afterMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
