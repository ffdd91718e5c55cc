// Text with at least one character that is not white space.
import { z } from 'zod';
import { addFault } from './faults.ts';

export const NonBlankText = z
  .string()
  .min(1)
  .superRefine((value, context) => {
    if (value !== '' && value.trim() === '') {
      addFault(context, [], 'blank', 'Must contain more than white space.');
    }
  })
  .meta({ pattern: String.raw`\S` });
