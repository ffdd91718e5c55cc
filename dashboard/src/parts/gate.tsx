// The way in: one card with a form, before anybody is signed in.
import type { ReactNode } from 'react';
import { Brand } from '../shell/brand.tsx';
import { Input } from './field.tsx';

export function Gate({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <main className="gate">
      <form
        className="gate-card"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
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

interface WayInProps {
  value: string;
  onChange: (value: string) => void;
  fault?: string | undefined;
}

export function EmailInput(props: WayInProps) {
  return <Input label="Email" type="email" autoComplete="username" required {...props} />;
}

interface PasswordInputProps extends WayInProps {
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  minLength?: number;
}

export function PasswordInput(props: PasswordInputProps) {
  return <Input label="Password" type="password" required {...props} />;
}
