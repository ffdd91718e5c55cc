// A button that copies a text and confirms it.
import { useRef, useState } from 'react';
import { Button } from './basics.tsx';

const confirmationMs = 2000;

interface CopyProps {
  text: string;
  what?: string;
  onCopied?: () => void;
}

export function Copy({ text, what = 'Copy', onCopied }: CopyProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const place = useRef<HTMLSpanElement>(null);
  const copy = async () => {
    const copied = await copyText(text, place.current ?? document.body);
    setState(copied ? 'copied' : 'failed');
    if (!copied) return;
    onCopied?.();
    setTimeout(() => setState('ready'), confirmationMs);
  };
  return (
    <>
      <Button kind="plain" onPress={() => void copy()}>
        {state === 'copied' ? 'Copied' : what}
      </Button>
      <span ref={place} className="hidden-text" role="status">
        {state === 'copied' ? 'Copied to the clipboard' : ''}
      </span>
      {state === 'failed' ? (
        <input
          className="input"
          readOnly
          ref={focus}
          aria-label="Select and copy this text"
          value={text}
          onFocus={(event) => event.target.select()}
        />
      ) : null}
    </>
  );
}

/** Moves the focus to the field, because the person has just asked for the text. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}

async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, place);
  }
}

/**
 * There is no clipboard API over plain HTTP. `place` is inside an open dialog, which traps the
 * focus.
 */
function copyBySelection(text: string, place: HTMLElement): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  place.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
