// A dialog with a secret that is shown once: Escape closes it only after the secret was copied.
import { useState } from 'react';
import { Button } from './basics.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  title: string;
  children: string;
  secret: string;
  copy: string;
  done: string;
  onClose: () => void;
}

export function ShownOnce({ title, children, secret, copy, done, onClose }: ShownOnceProps) {
  const [state, setState] = useState<'open' | 'kept open' | 'copied'>('open');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onEscape={state === 'copied' ? undefined : () => setState('kept open')}
    >
      <p>{children}</p>
      <code className="secret">{secret}</code>
      {state === 'kept open' ? (
        <div className="note warn" role="alert">
          Copy it first, or press “{done}” to close this without a copy.
        </div>
      ) : null}
      <div className="row">
        <Copy text={secret} what={copy} onCopied={() => setState('copied')} />
        <Button kind="primary" onPress={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
