// The form in which people change their own password.
import { useState } from 'react';
import { changePassword } from '../api/session-calls.ts';
import { useForm } from '../api/use-form.ts';
import { PasswordInput } from '../components/auth-card.tsx';
import { Button } from '../components/basics.tsx';
import { Dialog, FormDialog } from '../components/dialog.tsx';

const minPasswordLength = 12;

export function PasswordForm({ onClose }: { onClose: () => void }) {
  const [done, setDone] = useState(false);
  const form = useForm({ current_password: '', new_password: '' }, async (change) => {
    await changePassword(change);
    setDone(true);
  });
  if (done) {
    return (
      <Dialog title="Your password has been changed" onClose={onClose}>
        <p>You have been signed out in every other browser.</p>
        <div className="row">
          <Button onPress={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog title="Change your password" submit="Change it" form={form} onClose={onClose}>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...form.field('current_password')}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        hint={`At least ${minPasswordLength} characters.`}
        minLength={minPasswordLength}
        {...form.field('new_password')}
      />
    </FormDialog>
  );
}
