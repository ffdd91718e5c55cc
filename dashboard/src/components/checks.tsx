// A group of checkboxes under one legend.
import { useId } from 'react';

interface ChecksProps<T extends string> {
  legend: string;
  options: readonly (readonly [T, string])[];
  chosen: readonly T[];
  onChange: (chosen: readonly T[]) => void;
  fault?: string | undefined;
}

export function Checks<T extends string>(props: ChecksProps<T>) {
  const { legend, options, chosen, onChange, fault } = props;
  const faultId = useId();
  return (
    <fieldset className="field" aria-describedby={fault === undefined ? undefined : faultId}>
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
      {fault === undefined ? null : (
        <span className="fault" id={faultId}>
          {fault}
        </span>
      )}
    </fieldset>
  );
}
