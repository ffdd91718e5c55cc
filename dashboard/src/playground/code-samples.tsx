// The same request as code: curl, TypeScript, Python and the command line.
import { useState } from 'react';
import type { ToolName } from '@trivium/contract';
import { Segments } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { codeSampleText } from './code-sample-text.ts';
import type { CallForm } from './code-sample-text.ts';

const forms: readonly (readonly [CallForm, string])[] = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['cli', 'Command line'],
];

export function CodeSamples({ tool, request }: { tool: ToolName; request: object }) {
  const [form, setForm] = useState<CallForm>('curl');
  const text = codeSampleText(tool, request, location.origin)[form];
  return (
    <section className="stack tight" aria-label="The same request as code">
      <div className="row apart">
        <Segments label="Language" options={forms} value={form} onChange={setForm} />
        <Copy text={text} />
      </div>
      <pre className="code" tabIndex={0} aria-label={`The request as ${form}`}>
        {text}
      </pre>
    </section>
  );
}
