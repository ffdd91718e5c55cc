// The form in which a person changes the own password.
import { useState } from 'react';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction } from '../api/use-action.ts';
import { PasswordInput } from '../components/auth-card.tsx';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';

const minPasswordLength = 12;

export function PasswordForm({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [done, setDone] = useState(false);
  const change = useAction(async () => {
    const body = { current_password: current, new_password: chosen };
    await requestJson('POST', '/auth/change-password', body);
    setDone(true);
  });
  const faults = faultsOf(change.error, ['current_password', 'new_password']);
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
    <Dialog title="Change your password" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.run();
        }}
      >
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          fault={faults.of('current_password')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          hint={`At least ${minPasswordLength} characters.`}
          minLength={minPasswordLength}
          value={chosen}
          onChange={setChosen}
          fault={faults.of('new_password')}
        />
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={change.busy}>
            Change it
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
