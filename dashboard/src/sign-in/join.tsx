// The page of a set-up or invitation link: asks for name, email address and password.
import type { SessionView } from '@trivium/contract';
import { checkInvite, join, signIn } from '../api/session-calls.ts';
import { useForm } from '../api/use-form.ts';
import { useLoad } from '../api/data.ts';
import { Await, Button, Empty, ErrorNote } from '../components/basics.tsx';
import { Input } from '../components/field.tsx';
import { EmailInput, AuthCard, NewPasswordInput } from '../components/auth-card.tsx';
import { navigate, Link } from '../shell/router.tsx';

export function JoinPage({ view, onJoined }: { view: SessionView; onJoined: () => void }) {
  const token = location.hash.slice(1);
  const link = useLoad(['invitation', token], () => checkInvite(token));
  const form = useForm({ name: '', email: '', password: '' }, async (chosen) => {
    const { email, password } = chosen;
    await join({ token, ...chosen });
    await signIn(email, password);
    navigate('/', 'replace');
    onJoined();
  });
  if (token === '' || link.data?.open === false) return <ClosedLink />;
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
        <h1>{view.needs_set_up ? 'Set up your gateway' : 'Join this gateway'}</h1>
        <p className="soft">
          {view.needs_set_up
            ? 'You will be its operator. The link works once.'
            : 'You were invited. The link works once.'}
        </p>
      </div>
      <Input label="Name" autoComplete="name" required {...form.field('name')} />
      <EmailInput {...form.field('email')} />
      <NewPasswordInput {...form.field('password')} />
      <ErrorNote error={form.errors.rest} />
      <Button kind="primary" submit busy={form.action.busy}>
        {view.needs_set_up ? 'Create the operator' : 'Join'}
      </Button>
    </AuthCard>
  );
}

function ClosedLink() {
  return (
    <main className="auth">
      <Empty title="This link does not work" action={<Link to="/">Go to the dashboard</Link>}>
        It has been used, has expired, or is incomplete. If you have already joined, sign in.
        Otherwise ask an operator for a new link.
      </Empty>
    </main>
  );
}
