// A group of checkboxes under one legend.
import { useId } from 'react';

interface ChecksProps<T extends string> {
  legend: string;
  options: readonly (readonly [T, string])[];
  chosen: readonly T[];
  onChange: (chosen: readonly T[]) => void;
  error?: string | undefined;
}

export function Checks<T extends string>(props: ChecksProps<T>) {
  const { legend, options, chosen, onChange, error } = props;
  const errorId = useId();
  return (
    <fieldset className="field" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="label">{legend}</legend>
      <div className="checks">
        {options.map(([value, text]) => (
          <label key={value} className="check small">
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
