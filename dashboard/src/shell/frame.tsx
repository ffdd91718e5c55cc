// The frame around the pages: navigation, and above the page the account, its balance and the
// person's menu.
import { Fragment, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { admin } from '../api/clients.ts';
import { useAccountList } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Tag } from '../components/basics.tsx';
import { Icon } from '../components/icon.tsx';
import { Balance } from './balance.tsx';
import { Brand } from './brand.tsx';
import { pages } from './pages.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Link, useLocation } from './router.tsx';
import { useIsOperator, useMayChange, useSession } from './session.tsx';

export function Frame({ children }: { children: ReactNode }) {
  const operator = useIsOperator();
  const { view, account } = useSession();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="head">
        <Navigation />
        <div className="top">
          <button type="button" className="icon-button menu-button" popoverTarget="navigation">
            <Icon name="menu" />
            <span className="hidden-text">Menu</span>
          </button>
          {operator ? <AccountPicker /> : <strong className="account">{account.name}</strong>}
          <Balance />
          {view.sandbox ? (
            <Tag tone="warn" title="The built-in sandbox simulates every vendor">
              Sandbox
            </Tag>
          ) : null}
          <a className="top-link" href="/docs">
            <Icon name="docs" /> <span>Docs</span>
          </a>
          <PersonMenu />
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Beside the page; on a phone, behind the menu button. */
function Navigation() {
  const { path } = useLocation();
  const operator = useIsOperator();
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => side.current?.hidePopover(), [path]);
  const mayChange = useMayChange();
  const shown = pages.filter(
    (page) =>
      !page.unlisted && (operator || page.operator !== true) && (mayChange || page.spends !== true),
  );
  return (
    <div ref={side} id="navigation" className="side" popover="auto">
      <Link to="/" className="brand">
        <Brand /> Trivium
      </Link>
      <nav className="nav" aria-label="Pages">
        {shown.map((page) => (
          <Fragment key={page.path}>
            {page.group === undefined ? null : <span className="nav-title">{page.group}</span>}
            <Link to={page.path} current={page.path === path}>
              <Icon name={page.icon ?? 'page'} />
              {page.title}
            </Link>
          </Fragment>
        ))}
      </nav>
    </div>
  );
}

function AccountPicker() {
  const { account, chooseAccount } = useSession();
  const list = useAccountList();
  const listed = list.data?.accounts ?? [];
  const isMore = list.data?.next_cursor !== null && list.data !== undefined;
  const accounts = listed.some(({ id }) => id === account.id) ? listed : [account, ...listed];
  return (
    <>
      <select
        className="input compact account"
        aria-label="Account"
        value={account.id}
        onFocus={list.reload}
        onChange={(event) => chooseAccount(event.target.value)}
      >
        {accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {isMore ? <AccountSearch onChoose={chooseAccount} /> : null}
    </>
  );
}

/** Finds an account that is not in the list, by its name or id. */
function AccountSearch({ onChoose }: { onChoose: (id: string) => void }) {
  const [text, setText] = useState('');
  const words = text.trim();
  const found = useLoad(words === '' ? undefined : ['accounts', words], () =>
    admin.accounts.list({ text: words, limit: 20 }),
  );
  const options = found.data?.accounts ?? [];
  const labelOf = ({ id, name }: { id: string; name: string }) => `${name} (${id})`;
  return (
    <>
      <input
        type="search"
        className="input compact account-search"
        aria-label="Find an account"
        placeholder="Find an account"
        list="found-accounts"
        maxLength={200}
        value={text}
        onChange={(event) => {
          const chosen = options.find((one) => labelOf(one) === event.target.value);
          setText(chosen ? '' : event.target.value);
          if (chosen) onChoose(chosen.id);
        }}
      />
      <datalist id="found-accounts">
        {options.map((one) => (
          <option key={one.id} value={labelOf(one)} />
        ))}
      </datalist>
    </>
  );
}
