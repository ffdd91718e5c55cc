// The form in which a person changes the own password.
import { useState } from 'react';
import { changePassword } from '../api/session-calls.ts';
import { fieldErrorsOf, useAction } from '../api/use-action.ts';
import { PasswordInput } from '../components/auth-card.tsx';
import { Button } from '../components/basics.tsx';
import { Dialog, FormDialog } from '../components/dialog.tsx';

const minPasswordLength = 12;

export function PasswordForm({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [done, setDone] = useState(false);
  const change = useAction(async () => {
    await changePassword({ current_password: current, new_password: chosen });
    setDone(true);
  });
  const errors = fieldErrorsOf(change.error, ['current_password', 'new_password']);
  if (done) {
    return (
      <Dialog title="Your password is changed" onClose={onClose}>
        <p>Every other browser in which you were signed in is signed out.</p>
        <div className="row">
          <Button onPress={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Change your password"
      submit="Change it"
      action={change}
      errors={errors}
      onClose={onClose}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={errors.of('current_password')}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        hint={`At least ${minPasswordLength} characters.`}
        minLength={minPasswordLength}
        value={chosen}
        onChange={setChosen}
        error={errors.of('new_password')}
      />
    </FormDialog>
  );
}
