// The same call for a program: as curl, in TypeScript and on the command line.
import { useState } from 'react';
import type { ToolName } from '@trivium/contract';
import { Segments } from '../parts/basics.tsx';
import { Copy } from '../parts/copy.tsx';
import { callTexts } from './call-texts.ts';
import type { CallForm } from './call-texts.ts';

const forms: readonly (readonly [CallForm, string])[] = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['cli', 'Command line'],
];

export function SameCall({ tool, request }: { tool: ToolName; request: object }) {
  const [form, setForm] = useState<CallForm>('curl');
  const text = callTexts(tool, request, location.origin)[form];
  return (
    <section className="stack tight" aria-label="The same call for a program">
      <div className="row apart">
        <Segments label="Write it as" options={forms} value={form} onChange={setForm} />
        <Copy text={text} />
      </div>
      <pre className="code" tabIndex={0} aria-label={`The call as ${form}`}>
        {text}
      </pre>
    </section>
  );
}
