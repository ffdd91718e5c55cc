// Signs a person in, with a password or through the identity provider.
import type { SessionView } from '@trivium/contract';
import { signIn, startSingleSignOn } from '../api/session-calls.ts';
import { useAction } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import type { Form } from '../api/use-form.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { EmailInput, AuthCard, PasswordInput } from '../components/auth-card.tsx';
import { Dialog } from '../components/dialog.tsx';
import { keepReturnAddress, takeReturnAddress, useLocation } from '../shell/router.tsx';

interface SignInProps {
  view: SessionView;
  onSignedIn: () => void;
}

export function SignInPage({ view, onSignedIn }: SignInProps) {
  const { path, query } = useLocation();
  const returned = query.get('error');
  const form = useSignIn(() => {
    // This address is newer than the return address that was kept for the identity provider.
    if (path !== '/sign-in') takeReturnAddress();
    onSignedIn();
  });
  return (
    <AuthCard action={form.action}>
      <h1>Sign in</h1>
      {view.needs_set_up ? (
        <div className="note warn">
          There are no accounts yet. Open the set-up link that the gateway printed when it started.
        </div>
      ) : null}
      <Fields form={form} refused={refusal(returned, view.single_sign_on)} view={view} />
    </AuthCard>
  );
}

interface SignInAgainProps extends SignInProps {
  /** Leaves for the sign-in page; text that was typed is lost. */
  onLeave: () => void;
}

/** Shown above the page of a person whose session has ended. */
export function SignInAgain({ view, onSignedIn, onLeave }: SignInAgainProps) {
  const form = useSignIn(onSignedIn);
  return (
    <Dialog title="Sign in again" veiled onClose={onLeave} onEscape={() => undefined}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.action.run();
        }}
      >
        <div className="note warn" role="status">
          Your session has ended. Sign in to continue where you left off. What you typed is kept.
        </div>
        <Fields form={form} view={view} />
        <Button kind="plain" onPress={onLeave}>
          Leave this page
        </Button>
      </form>
    </Dialog>
  );
}

type SignInForm = Form<{ email: string; password: string }>;

function useSignIn(onSignedIn: () => void): SignInForm {
  return useForm({ email: '', password: '' }, async ({ email, password }) => {
    await signIn(email, password);
    onSignedIn();
  });
}

interface FieldsProps {
  form: SignInForm;
  view: SessionView;
  refused?: Error | undefined;
}

function Fields({ form, view, refused }: FieldsProps) {
  const single = useAction(async () => {
    const { url } = await startSingleSignOn();
    keepReturnAddress();
    location.assign(url);
  });
  return (
    <>
      <EmailInput {...form.field('email')} />
      <PasswordInput autoComplete="current-password" {...form.field('password')} />
      <ErrorNote error={form.action.error ?? single.error ?? refused} />
      <Button kind="primary" submit busy={form.action.busy}>
        Sign in
      </Button>
      {view.single_sign_on === null ? null : (
        <Button busy={single.busy} onPress={() => single.run()}>
          Continue with {view.single_sign_on}
        </Button>
      )}
    </>
  );
}

/** Why single sign-on was refused. */
function refusal(code: string | null, provider: string | null): Error | undefined {
  if (code === null) return undefined;
  if (code === 'signup_disabled') {
    return new Error(
      `Your account at ${provider ?? 'the identity provider'} was not invited here. ` +
        'Ask an operator of this gateway for an invitation.',
    );
  }
  if (code === 'unable_to_get_user_info') {
    return new Error(
      `${provider ?? 'The identity provider'} did not send what is needed to sign you in: a ` +
        'verified email address that does not belong to another person here. ' +
        'An operator can find the reason in the log.',
    );
  }
  return new Error(
    `${provider ?? 'The identity provider'} refused the sign-in (${code}). Try again, ` +
      'or sign in with your password.',
  );
}
