// The new secret of a key, shown once, with a first request to paste.
import type { NewKey } from '@trivium/contract';
import { Copy } from '../components/copy.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { when } from '../format.ts';

interface NewKeyDialogProps {
  made: NewKey;
  rotated: boolean;
  onClose: () => void;
}

export function NewKeyDialog({ made, rotated, onClose }: NewKeyDialogProps) {
  const request = firstRequest(location.origin, made.key);
  return (
    <SecretDialog
      title={rotated ? 'The new secret of this key' : 'Your new key'}
      secret={made.key}
      copy="Copy the key"
      done="I have it"
      onClose={onClose}
      more={(onCopied) => (
        <section className="stack tight" aria-label="A first request">
          <div className="row apart">
            <span className="label">A first request</span>
            <Copy text={request} what="Copy the request" onCopied={onCopied} />
          </div>
          <pre className="code" tabIndex={0} aria-label="A first request as curl">
            {request}
          </pre>
        </section>
      )}
    >
      {`Copy it now: it is not stored and cannot be shown again.${overlapOf(made, rotated)}`}
    </SecretDialog>
  );
}

function overlapOf({ previous_until }: NewKey, rotated: boolean): string {
  if (!rotated) return '';
  if (previous_until === null) return ' The previous secret no longer works.';
  return ` The previous secret works until ${when(previous_until)}.`;
}

function firstRequest(origin: string, key: string): string {
  return [
    `curl -sS ${origin}/v1/search \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '{"query":"what is new in solid state batteries","max_results":3}'`,
  ].join('\n');
}
