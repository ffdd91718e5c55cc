// The frame around the pages: navigation, the selected account, and sign-out.
import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import type { AccountList } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { Button, Tag } from '../components/basics.tsx';
import { chooseZone, useZone, zones } from '../zone.ts';
import { PasswordForm } from '../pages/password-form.tsx';
import { Brand } from './brand.tsx';
import { pages } from './pages.tsx';
import { Link, usePlace } from './router.tsx';
import { useIsOperator, useSession } from './session.tsx';

export function Frame({ children }: { children: ReactNode }) {
  const { path } = usePlace();
  const operator = useIsOperator();
  const { view } = useSession();
  const shown = pages.filter((page) => operator || page.operator !== true);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="side">
        <Link to="/" className="brand">
          <Brand /> Trivium
        </Link>
        <nav className="nav" aria-label="Pages">
          {shown.map((page) => (
            <Fragment key={page.path}>
              {page.group === undefined ? null : <span className="nav-title">{page.group}</span>}
              <Link to={page.path} current={page.path === path}>
                {page.title}
              </Link>
            </Fragment>
          ))}
        </nav>
        <div className="side-foot">
          {view.sandbox ? (
            <span>
              <Tag tone="warn" title="The built-in sandbox simulates every vendor">
                Sandbox
              </Tag>
            </span>
          ) : null}
          {operator ? <AccountPicker /> : null}
          <ZonePicker />
          <Who />
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function AccountPicker() {
  const { account, chooseAccount } = useSession();
  const list = useLoad('accounts', () =>
    requestJson<AccountList>('GET', '/admin/v1/accounts?limit=500'),
  );
  const listed = list.data?.accounts ?? [];
  const accounts = listed.some(({ id }) => id === account.id) ? listed : [account, ...listed];
  return (
    <label>
      <span className="hidden-text">Account</span>
      <select
        className="input compact"
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
    </label>
  );
}

function ZonePicker() {
  const zone = useZone();
  return (
    <select
      className="input compact"
      aria-label="Time zone"
      value={zone}
      onChange={(event) => chooseZone(event.target.value)}
    >
      {zones().map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function Who() {
  const { person, reload } = useSession();
  const leave = useAction(async (everywhere: boolean) => {
    if (everywhere) await requestJson('POST', '/auth/revoke-sessions', {});
    await requestJson('POST', '/auth/sign-out', {}).catch(() => undefined);
    reload();
  });
  const [changing, setChanging] = useState(false);
  return (
    <div className="who">
      <div title={person.email}>{person.name}</div>
      <div className="row">
        <Button kind="plain" onPress={() => setChanging(true)}>
          Change password
        </Button>
        <Button kind="plain" busy={leave.busy} onPress={() => leave.run(false)}>
          Sign out
        </Button>
        <Button kind="plain" busy={leave.busy} onPress={() => leave.run(true)}>
          Sign out everywhere
        </Button>
      </div>
      {changing ? <PasswordForm onClose={() => setChanging(false)} /> : null}
    </div>
  );
}
