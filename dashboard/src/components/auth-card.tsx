// The card with a form that a visitor sees before signing in.
import type { ReactNode } from 'react';
import { Brand } from '../shell/brand.tsx';
import type { Action } from '../api/use-action.ts';
import { Input } from './field.tsx';

export function AuthCard({ action, children }: { action: Action<[]>; children: ReactNode }) {
  return (
    <main className="auth">
      <form
        className="auth-card"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <span className="brand">
          <Brand /> Trivium
        </span>
        {children}
      </form>
    </main>
  );
}

interface CredentialInputProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

export function EmailInput(props: CredentialInputProps) {
  return <Input label="Email" type="email" autoComplete="username" required {...props} />;
}

/** The gateway refuses shorter passwords. */
const minPasswordLength = 12;

export function NewPasswordInput(props: CredentialInputProps & { label?: string }) {
  return (
    <PasswordInput
      autoComplete="new-password"
      hint={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
      minLength={minPasswordLength}
      {...props}
    />
  );
}

interface PasswordInputProps extends CredentialInputProps {
  label?: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  minLength?: number;
}

export function PasswordInput(props: PasswordInputProps) {
  return <Input label="Password" type="password" required {...props} />;
}
