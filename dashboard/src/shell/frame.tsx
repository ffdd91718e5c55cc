// The frame around the pages: navigation, and above the page the account, its balance and the
// person's menu.
import { Fragment, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useAccountList } from '../api/names.ts';
import { Icon } from '../components/icon.tsx';
import { ModeBanner } from '../components/simulated.tsx';
import { Balance } from './balance.tsx';
import { Brand } from './brand.tsx';
import { Commands, menuKeys } from './commands.tsx';
import { usePages } from './pages.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Link, useLocation } from './router.tsx';
import { useIsOperator, useSession } from './session.tsx';

export function Frame({ children }: { children: ReactNode }) {
  const operator = useIsOperator();
  const { account } = useSession();
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
          <Commands />
          <a className="top-link" href="/docs">
            <Icon name="docs" /> <span>Docs</span>
          </a>
          <PersonMenu />
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        <ModeBanner />
        {children}
      </main>
    </div>
  );
}

/** Beside the page; on a phone, behind the menu button. */
function Navigation() {
  const { path } = useLocation();
  const shown = usePages().filter(({ unlisted }) => !unlisted);
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => side.current?.hidePopover(), [path]);
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
      {isMore ? <option disabled>{`${menuKeys} finds all others`}</option> : null}
    </select>
  );
}
