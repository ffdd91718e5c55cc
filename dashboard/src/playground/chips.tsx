// A multiple choice of small labels.

interface ChipsProps {
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

export function Chips({ label, options, chosen, onChange }: ChipsProps) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="chips">
        {options.map(([value, text]) => (
          <label key={value} className="chip">
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
    </fieldset>
  );
}
