// Tags of a request, which say who or what it is for, in the header `x-trivium-tags`.
import { z } from 'zod';
import { addFault } from './faults.ts';

const wordPattern = /^[A-Za-z0-9_.:-]{1,64}$/;
const tagPattern = /^([A-Za-z0-9_.:-]{1,64})=[A-Za-z0-9_.:-]{1,64}$/;
const maxTags = 10;
/** Ten tags of the longest names and values, with some spaces. */
const maxHeaderChars = 2000;

const wordRule = 'Must be 1 to 64 characters from A-Z, a-z, 0-9, _, ., : and -.';

export const TagName = z
  .string()
  .max(64)
  .regex(wordPattern, { error: wordRule })
  .describe('The name of a tag, such as team.');
export const TagValue = z
  .string()
  .max(64)
  .regex(wordPattern, { error: wordRule })
  .describe('A value of the tag, such as search.');

/**
 * The `x-trivium-tags` header of a POST. Lines of a repeated header arrive joined by commas. The
 * result is the same list without spaces.
 */
export const Tags = z
  .string()
  .max(maxHeaderChars, { abort: true })
  .transform((header, context) => {
    const tags = header.split(',').map((tag) => tag.trim());
    const fault = faultOf(tags);
    if (fault === undefined) return tags.join(',');
    addFault(context, [], ...fault);
    return z.NEVER;
  });

function faultOf(tags: readonly string[]): [code: string, message: string] | undefined {
  if (tags.length > maxTags) return ['too_big', `Must have at most ${maxTags} tags.`];
  const names = new Set<string>();
  for (const tag of tags) {
    const name = tagPattern.exec(tag)?.[1];
    if (name === undefined) {
      const message =
        'Must be tags such as team=search,run=42: names and values consist of 1 to 64 ' +
        'characters from A-Z, a-z, 0-9, _, ., : and -.';
      return ['invalid_format', message];
    }
    if (names.has(name)) return ['duplicate', `The tag ${name} appears twice. Send it once.`];
    names.add(name);
  }
  return undefined;
}
