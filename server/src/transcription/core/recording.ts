// What a list says about the recording of a job: the name of its file, and the text in which a search
// looks. Neither contains the query of an address, where signatures usually are.

interface Recording {
  audio_url: string;
  upload?: { name?: string };
}

/** The caller's name for an upload, or the last part of the address. Null if there is none. */
export function recordingName({ audio_url, upload }: Recording): string | null {
  if (upload) return upload.name ?? null;
  return pathOf(audio_url).split('/').at(-1) || null;
}

/** In lower case, because the two database engines lower other alphabets differently. */
export function searchedText({ audio_url, upload }: Recording): string | null {
  const text = upload ? upload.name : `${URL.parse(audio_url)?.host ?? ''}${pathOf(audio_url)}`;
  return text?.toLowerCase() ?? null;
}

function pathOf(address: string): string {
  const { pathname = '' } = URL.parse(address) ?? {};
  try {
    return decodeURIComponent(pathname).replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '');
  } catch {
    return pathname;
  }
}
