// A field for a cap in US dollars; an empty one sets no cap.
import { Input } from './field.tsx';

interface CapInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

export function CapInput(props: CapInputProps) {
  return <Input type="number" min={0} step="any" placeholder="No cap" {...props} />;
}

export function textOfCap(cap: number | null | undefined): string {
  return cap === null || cap === undefined ? '' : String(cap);
}

export function capOf(text: string): number | null {
  return text === '' ? null : Number(text);
}
