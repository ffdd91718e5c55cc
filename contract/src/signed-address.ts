// Hides the parts of an address that make it a credential, in logs and answers: the signature of an
// upload's address, and the query of any other address, where signatures usually are.

/** The token of this gateway; see `audio_url` of an upload. */
const uploadToken = /(upl_[0-9a-f]{32})\.\d{1,15}\.[0-9a-f]{40}/g;
const signature =
  /(x-(?:amz|goog)-(?:signature|credential|security-token)(?:=|%3d))[^&\s"'<>\\]+/gi;

export function hideSignatures(text: string): string {
  const hidden = text.replaceAll(uploadToken, '$1.…').replaceAll(signature, '$1…');
  return hidden.includes('?') ? hidden.replaceAll(/[^\s"'<>]+/g, withoutQuery) : hidden;
}

/** Slashes may be escaped, as in JSON. A question mark at the end belongs to the sentence. */
function withoutQuery(word: string): string {
  const start = word.search(/https?:[\\/]/i);
  const end = start === -1 ? -1 : word.indexOf('?', start);
  return end === -1 || end === word.length - 1 ? word : `${word.slice(0, end)}?…`;
}
