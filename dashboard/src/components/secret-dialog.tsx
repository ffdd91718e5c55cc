// A dialog with a secret that is shown once: it can be closed only after the secret has been
// copied.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from './basics.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  title: string;
  children: string;
  secret: string;
  copy: string;
  done: string;
  onClose: () => void;
  /** Shown below the secret; a copy made in it counts as well. */
  more?: ((onCopied: () => void) => ReactNode) | undefined;
}

export function SecretDialog(props: SecretDialogProps) {
  const { title, children, secret, copy, done, onClose, more } = props;
  const [state, setState] = useState<'open' | 'kept open' | 'copied'>('open');
  const copied = () => setState('copied');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onEscape={state === 'copied' ? undefined : () => setState('kept open')}
      {...(more ? { wide: true } : {})}
    >
      <p>{children}</p>
      {/* A person may also select the text and copy it by hand. */}
      <div className="stack" onCopy={copied}>
        <div className="row">
          <code className="secret">{secret}</code>
          <Copy text={secret} what={copy} onCopied={copied} />
        </div>
        {more?.(copied)}
      </div>
      {state === 'kept open' ? (
        <div className="note warn" role="alert">
          Copy it first. It will not be shown again.
        </div>
      ) : null}
      <div className="row">
        <Button kind="primary" disabled={state !== 'copied'} onPress={onClose}>
          {done}
        </Button>
        {state === 'copied' ? null : (
          <span className="small soft">Copy it to enable “{done}”.</span>
        )}
      </div>
    </Dialog>
  );
}
