// What to do about a balance that is too low for a request: operators top up at once.
import { useState } from 'react';
import { Button } from '../components/basics.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { MoveMoney } from './move-money.tsx';

export function TopUp() {
  const { account } = useSession();
  const [open, setOpen] = useState(false);
  if (!useIsOperator()) return <p>Ask an operator of this gateway to top up the account.</p>;
  return (
    <div>
      <Button onPress={() => setOpen(true)}>Top up this account</Button>
      {open ? <MoveMoney kind="topUp" account={account} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
