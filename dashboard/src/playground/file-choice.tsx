// A button that opens the browser's file dialog, and a hook for files that are dropped on the page.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/basics.tsx';

/** Audio and video. Some systems do not know a type for the listed extensions. */
const recordings = 'audio/*,video/*,.amr,.caf,.flac,.flv,.m4a,.mkv,.opus,.ts';

interface FileButtonProps {
  children: string;
  /** The types and the extensions of the files; recordings if absent. */
  accept?: string;
  onChoose: (files: readonly File[]) => void;
}

export function FileButton({ children, accept = recordings, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onPress={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Allows the same file to be chosen again.
          target.value = '';
          onChoose(files);
        }}
      />
    </>
  );
}

/** True while a file is dragged over the page. A dropped file never replaces the page. */
export function useFileDrop(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const listening = new AbortController();
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: Handle) =>
      window.addEventListener(
        name,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          act(event, event.dataTransfer);
        },
        { signal: listening.signal },
      );
    on('dragenter', () => setOver(true));
    on('dragover', (_, data) => {
      data.dropEffect = 'copy';
    });
    // Without a related element, the pointer has left the window.
    on('dragleave', (event) => event.relatedTarget === null && setOver(false));
    on('drop', (_, data) => {
      setOver(false);
      latest.current([...data.files]);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}

type Handle = (event: DragEvent, data: DataTransfer) => unknown;
