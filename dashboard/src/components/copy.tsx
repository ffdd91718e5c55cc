// A button that copies a text and confirms it.
import { useState } from 'react';
import { Button } from './basics.tsx';

const confirmationMs = 2000;

export function Copy({ text, what = 'Copy' }: { text: string; what?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = () => {
    navigator.clipboard
      .writeText(text)
      .then(() => setState('copied'))
      .catch(() => setState('failed'))
      .finally(() => setTimeout(() => setState('ready'), confirmationMs));
  };
  const words = { ready: what, copied: 'Copied', failed: 'Select and copy by hand' };
  return (
    <>
      <Button kind="plain" onPress={copy}>
        {words[state]}
      </Button>
      <span className="hidden-text" role="status">
        {state === 'copied' ? 'Copied to the clipboard' : ''}
      </span>
    </>
  );
}
