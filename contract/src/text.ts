// Text a caller has to give: some character in it is not white space.
import { z } from 'zod';
import { addFault } from './faults.ts';

export const FilledText = z
  .string()
  .min(1)
  .superRefine((value, context) => {
    if (value !== '' && value.trim() === '') {
      addFault(context, [], 'blank', 'Must hold more than white space.');
    }
  })
  .meta({ pattern: String.raw`\S` });
