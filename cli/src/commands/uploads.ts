// trivium uploads: recordings that are stored for later transcriptions.
import type { Upload } from '@trivium/contract';
import { printJson } from '../command.ts';
import { noun, showing } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { uploadFile } from '../upload-file.ts';

const table: Table<Upload> = {
  heads: ['id', 'bytes', 'expires', 'audio_url'],
  cells: ({ id, bytes, expires_at, audio_url }) => [id, String(bytes), expires_at, audio_url],
};

export const uploads = noun({
  name: 'uploads',
  group: 'Tools',
  summary: 'Upload a recording for later transcriptions, show it or delete it',
  options: {},
  verbs: {
    create: {
      summary: 'upload a file; its audio_url can be transcribed until it expires',
      usage: '<file>',
      example: 'uploads create talk.mp3',
      run: showing(table, (context, path) => uploadFile(path, context)),
    },
    get: {
      summary: 'show an upload',
      usage: '<upload id>',
      example: 'uploads get upl_0198…',
      run: showing(table, ({ client, signal }, id) => client().uploads.get(id, { signal })),
    },
    delete: {
      summary: 'delete it before it expires',
      usage: '<upload id>',
      example: 'uploads delete upl_0198… --yes',
      loses: 'The recording is deleted, and transcriptions that still need it fail.',
      run: async (id, _given, context) => {
        const removed = await context.client().uploads.delete(id);
        if (context.json) return printJson(context, removed);
        context.out(`${removed.id} deleted\n`);
      },
    },
  },
});
