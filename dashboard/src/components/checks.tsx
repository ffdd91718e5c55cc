// A group of checkboxes under one legend.
import { useId } from 'react';

interface ChecksProps<T extends string> {
  legend: string;
  options: readonly (readonly [T, string])[];
  chosen: readonly T[];
  onChange: (chosen: readonly T[]) => void;
  error?: string | undefined;
  /** Shown as small labels without a box. */
  chips?: boolean;
}

export function Checks<T extends string>(props: ChecksProps<T>) {
  const { legend, options, chosen, onChange, error, chips = false } = props;
  const errorId = useId();
  return (
    <fieldset className="field" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="label">{legend}</legend>
      <div className={chips ? 'chips' : 'checks'}>
        {options.map(([value, text]) => (
          <label key={value} className={chips ? 'chip' : 'check small'}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(
                  event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value),
                )
              }
            />
            {text}
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <span className="fault" id={errorId}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
