// A modal dialog on the browser's own element, which keeps focus inside and closes on Escape.
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from './basics.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Called instead of closing when the person presses Escape. */
  onEscape?: (() => void) | undefined;
}

export function Dialog({ title, onClose, children, wide, onEscape }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wide' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (!onEscape) return;
        event.preventDefault();
        onEscape();
      }}
      onClose={() => {
        // Browsers close a dialog at the second Escape, whatever the page says.
        if (onEscape) dialog.current?.showModal();
        else onClose();
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, children, action, busy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="row">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onPress={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
