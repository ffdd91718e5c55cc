// The page of a password reset link, where a person chooses a new password.
import { checkReset, resetPassword, signIn } from '../api/session-calls.ts';
import { useForm } from '../api/use-form.ts';
import { useLoad } from '../api/data.ts';
import { Await, Button, ErrorNote } from '../components/basics.tsx';
import { AuthCard, EmailInput, NewPasswordInput } from '../components/auth-card.tsx';
import { navigate, Link } from '../shell/router.tsx';

export function ResetPage({ onSignedIn }: { onSignedIn: () => void }) {
  const token = location.hash.slice(1);
  const link = useLoad(['reset link', token], () => checkReset(token));
  const email = link.data?.email ?? '';
  const form = useForm({ password: '' }, async ({ password }) => {
    await resetPassword({ token, password });
    await signIn(email, password);
    navigate('/', 'replace');
    onSignedIn();
  });
  if (token === '' || link.data?.open === false) {
    return (
      <main className="auth">
        <div className="auth-card">
          <h1>This link does not work</h1>
          <p>It has been used, has expired, or is incomplete. Ask an operator for a new one.</p>
          <Link to="/">Go to sign in</Link>
        </div>
      </main>
    );
  }
  if (link.data === undefined) {
    return (
      <main className="auth">
        <Await of={link}>{() => null}</Await>
      </main>
    );
  }
  return (
    <AuthCard action={form.action}>
      <div>
        <h1>Choose a new password</h1>
        <p className="soft">You will be signed out everywhere else. The link works once.</p>
      </div>
      <EmailInput value={email} onChange={() => undefined} />
      <NewPasswordInput label="New password" {...form.field('password')} />
      <ErrorNote error={form.errors.rest} />
      <Button kind="primary" submit busy={form.action.busy}>
        Change the password
      </Button>
    </AuthCard>
  );
}
