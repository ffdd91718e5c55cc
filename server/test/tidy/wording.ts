// The words of comments and documents: who acts is named, and terms are those of an engineer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { lineOf, projectRoot } from './source.ts';

export const unclearPhrase =
  /\b(?:whoever|nobody|somebody|heeded|put off|in force|told in|goes on|stands for)\b/gi;
export const phraseAdvice = 'Name who acts, in the words that an engineer would use.';

/** A request is answered with a status; it is none. */
const statusAsThing = /\bis a [45]\d\d\b/gi;
const documents = ['*.md', '{docs,maintainers,examples,sdk,python,server}/**/*.md'];
/** What it says of earlier versions stays as it was. */
const isKept = /(?:^|\/)(?:CHANGELOG\.md$|node_modules\/)/;

/** Lists every unclear phrase of the documents. */
export function checkWording(root = projectRoot): string[] {
  return documents
    .flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: root })])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !isKept.test(path))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return [unclearPhrase, statusAsThing].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(
          ({ 0: phrase, index }) => `${path}:${lineOf(text, index)}: "${phrase}". ${phraseAdvice}`,
        ),
      );
    });
}
