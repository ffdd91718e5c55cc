// Tags of a call, which say who or what it is for, in the header x-trivium-tags.
import { ConfigurationError } from './errors.ts';

/** Up to 10 names and values, each of 1 to 64 characters of A-Z, a-z, 0-9, _, ., : and -. */
export type Tags = Readonly<Record<string, string | number>>;

const word = /^[A-Za-z0-9_.:-]{1,64}$/;
const maxTags = 10;

/** Checked here, because a comma in a value would start another tag. */
export function tagsHeader(tags: Tags): Record<string, string> {
  const list = Object.entries(tags);
  if (list.length === 0) return {};
  if (list.length > maxTags) {
    throw new ConfigurationError(`A call can have up to ${maxTags} tags, not ${list.length}.`);
  }
  const written = list.map(([name, value]) => {
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && word.test(name) && word.test(String(value))) return `${name}=${value}`;
    throw new ConfigurationError(
      `The tag ${JSON.stringify(name.slice(0, 80))} is invalid: names and values consist ` +
        'of 1 to 64 characters from A-Z, a-z, 0-9, _, ., : and -.',
    );
  });
  return { 'x-trivium-tags': written.join(',') };
}
