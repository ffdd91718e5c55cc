// The menu of the signed-in person: theme, time zone, password, and signing out.
import { Suspense, useEffect, useRef, useState } from 'react';
import { Button, Segments } from '../components/basics.tsx';
import { Icon } from '../components/icon.tsx';
import { chooseTheme, useTheme } from '../theme.ts';
import { chooseZone, useZone, zones } from '../zone.ts';
import { lazyPage } from './lazy-page.ts';
import { useLeave } from './leave.ts';
import { Link, useLocation } from './router.tsx';
import { useSession } from './session.tsx';

const PasswordForm = lazyPage(
  async () => (await import('../profile/password-form.tsx')).PasswordForm,
);

export function PersonMenu() {
  const { person } = useSession();
  const menu = useRef<HTMLDivElement>(null);
  const { path } = useLocation();
  useEffect(() => menu.current?.hidePopover(), [path]);
  const leave = useLeave();
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState(false);
  return (
    <div className="who">
      <button
        type="button"
        className="icon-button"
        popoverTarget="person-menu"
        aria-label={`Your settings: ${person.name}`}
      >
        <Icon name="profile" />
        <span className="who-name">{person.name}</span>
      </button>
      <div
        ref={menu}
        id="person-menu"
        className="menu"
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <div className="small soft">{person.email}</div>
        <ThemeSwitch />
        {/* There are more than 400 time zones. */}
        {open ? <ZonePicker /> : null}
        <div className="menu-actions">
          <Link to="/profile" className="button plain">
            Profile
          </Link>
          <Button
            kind="plain"
            onPress={() => {
              menu.current?.hidePopover();
              setChanging(true);
            }}
          >
            Change password
          </Button>
          <Button kind="plain" busy={leave.busy} onPress={() => leave.run(false)}>
            Sign out
          </Button>
          <Button kind="plain" busy={leave.busy} onPress={() => leave.run(true)}>
            Sign out everywhere
          </Button>
        </div>
      </div>
      {changing ? (
        <Suspense>
          <PasswordForm onClose={() => setChanging(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <div className="field">
      <span className="label">Theme</span>
      <Segments
        label="Theme"
        options={[
          ['auto', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        value={theme}
        onChange={chooseTheme}
      />
    </div>
  );
}

function ZonePicker() {
  const zone = useZone();
  return (
    <div className="field">
      <span className="label">Time zone</span>
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
    </div>
  );
}
