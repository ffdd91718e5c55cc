// The page of the person who is signed in: name, password, and the browsers with a session.
import { useState } from 'react';
import type { Profile, Role, SessionLine } from '@trivium/contract';
import { changeProfile, endOtherSessions, endSession, readProfile } from '../api/session-calls.ts';
import { useAction } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { useLoad } from '../api/data.ts';
import { Await, Button, DocsLink, ErrorNote, Facts, Page, Tag } from '../components/basics.tsx';
import { Input } from '../components/field.tsx';
import { LongTable } from '../components/long-table.tsx';
import { when } from '../format.ts';
import { useSession } from '../shell/session.tsx';
import { browserName } from './browser-name.ts';
import { PasswordForm } from './password-form.tsx';

export function ProfilePage() {
  const profile = useLoad(['profile'], readProfile);
  return (
    <Page
      title="Profile"
      intro="Your name, your password, and where you are signed in."
      aside={<DocsLink page="dashboard#people" />}
    >
      <Await of={profile}>
        {(data) => (
          <>
            <Person profile={data} />
            <Sessions profile={data} />
          </>
        )}
      </Await>
    </Page>
  );
}

function Person({ profile }: { profile: Profile }) {
  const { account } = useSession();
  const { person, has_password } = profile;
  const [changing, setChanging] = useState(false);
  const form = useForm({ name: person.name }, ({ name }) => changeProfile({ name }));
  const { name } = form.values;
  return (
    <section className="card stack" aria-label="You">
      <Facts
        facts={[
          ['Email', person.email],
          ['Role', roleWords(person.role, account.name)],
          [
            'Password',
            <span key="password" className="row">
              {has_password ? 'Set' : 'None. You sign in through your identity provider.'}
              {has_password ? (
                <Button kind="plain" onPress={() => setChanging(true)}>
                  Change password
                </Button>
              ) : null}
            </span>,
          ],
        ]}
      />
      <form
        className="row name-form"
        onSubmit={(event) => {
          event.preventDefault();
          form.action.run();
        }}
      >
        <Input label="Name" required {...form.field('name')} />
        <Button
          submit
          busy={form.action.busy}
          disabled={name.trim() === '' || name === person.name}
        >
          Save the name
        </Button>
      </form>
      <ErrorNote error={form.errors.rest} />
      {changing ? <PasswordForm onClose={() => setChanging(false)} /> : null}
    </section>
  );
}

function Sessions({ profile: { sessions } }: { profile: Profile }) {
  const end = useAction((id?: string) => (id === undefined ? endOtherSessions() : endSession(id)));
  const hasOthers = sessions.some(({ current }) => !current);
  return (
    <>
      <div className="row apart">
        <h2>Where you are signed in</h2>
        {hasOthers ? (
          <Button busy={end.busy} onPress={() => end.run()}>
            Sign out all others
          </Button>
        ) : null}
      </div>
      <LongTable
        label="Sessions"
        rows={sessions}
        keyOf={({ id }: SessionLine) => id}
        columns={[
          {
            title: 'Browser',
            line: 1,
            wrap: true,
            show: ({ browser, current }) => (
              <span title={browser ?? ''}>
                {browserName(browser)} {current ? <Tag tone="good">This one</Tag> : null}
              </span>
            ),
          },
          { title: 'Address', line: 2, show: ({ address }) => address ?? 'Unknown' },
          { title: 'Signed in', line: 2, show: ({ created_at }) => when(created_at) },
          { title: 'Ends', show: ({ expires_at }) => when(expires_at) },
          {
            title: 'Actions',
            line: 1,
            show: ({ id, browser, current }) =>
              current ? null : (
                <Button
                  kind="plain"
                  disabled={end.busy}
                  label={`Sign out ${browserName(browser)}`}
                  onPress={() => end.run(id)}
                >
                  Sign out
                </Button>
              ),
          },
        ]}
      />
      <ErrorNote error={end.error} />
    </>
  );
}

function roleWords(role: Role, accountName: string): string {
  if (role === 'operator') return 'Operator of this gateway';
  return `${role === 'viewer' ? 'Viewer' : 'Member'} of ${accountName}`;
}
