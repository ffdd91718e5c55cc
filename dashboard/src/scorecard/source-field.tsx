// A text that is pasted, or read from a file of this device.
import { useState } from 'react';
import { checkSize } from '@trivium/sdk/evaluate';
import { asError } from '../api/errors.ts';
import { Button } from '../components/basics.tsx';
import { Field } from '../components/field.tsx';
import { FileButton } from '../playground/file-choice.tsx';

export interface Source {
  /** Of the file, or words for a pasted text. */
  name: string;
  text: string;
  isFile?: boolean;
}

interface SourceFieldProps {
  label: string;
  hint: string;
  of: Source | undefined;
  maxBytes: number;
  /** What was found in it. */
  found: string | undefined;
  error: string | undefined;
  onChange: (source: Source | undefined) => void;
}

export function SourceField(props: SourceFieldProps) {
  const { label, hint, of, maxBytes, found, error, onChange } = props;
  const [unread, setUnread] = useState<string>();
  const name = `The pasted ${label.toLowerCase()}`;
  const take = async (given: Blob, source: Omit<Source, 'text'>) => {
    try {
      setUnread(undefined);
      checkSize(source.name, given.size, maxBytes);
      onChange({ ...source, text: await given.text() });
    } catch (reason) {
      onChange(undefined);
      setUnread(asError(reason).message);
    }
  };
  return (
    <Field label={label} hint={hint} error={unread ?? error}>
      {(id, describedBy) =>
        of?.isFile ? (
          <div className="row" id={id}>
            <strong>{of.name}</strong>
            <span className="small soft">{found}</span>
            <Button onPress={() => onChange(undefined)}>Remove</Button>
          </div>
        ) : (
          <>
            <textarea
              id={id}
              className="input mono"
              rows={4}
              spellCheck={false}
              aria-describedby={describedBy}
              aria-invalid={error !== undefined}
              value={of?.text ?? ''}
              onChange={({ target: { value } }) =>
                onChange(value === '' ? undefined : { name, text: value })
              }
            />
            <div className="row">
              <FileButton
                accept=".jsonl,.json,.txt,.tsv,.qrels,text/*"
                onChoose={([file]) => file && void take(file, { name: file.name, isFile: true })}
              >
                Choose a file
              </FileButton>
              <span className="small soft">{found}</span>
            </div>
          </>
        )
      }
    </Field>
  );
}
