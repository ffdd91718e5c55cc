// Normalizes language tags from callers and vendors.

const tagPattern = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/;

/** The part before the first hyphen, in lower case. */
export function baseLanguage(tag: string): string {
  return (tag.split('-')[0] ?? tag).toLowerCase();
}

/**
 * A tag in BCP-47 spelling, with the shortest code of its language. Undefined if it cannot be a
 * tag. `eng`, `EN` and `en` all become `en`, and `en_uk` becomes `en-GB`.
 */
export function readLanguage(tag: string | null | undefined): string | undefined {
  const written = (tag ?? '').replaceAll('_', '-');
  if (!tagPattern.test(written)) return undefined;
  // Subtags that the standard does not allow are dropped; the language is kept.
  const canonical = canonicalTag(written) ?? canonicalTag(baseLanguage(written));
  if (canonical === undefined) return undefined;
  const [language = '', ...rest] = canonical.split('-');
  const parts = rest.map((part) => (part === 'UK' ? 'GB' : part));
  const spelled = [sameLanguage.get(language) ?? language, ...parts].join('-');
  return tagPattern.test(spelled) ? spelled : undefined;
}

/** Shortens three letters to two if a two-letter code exists, and replaces withdrawn codes. */
function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/**
 * Codes that the registry keeps apart but vendors use for one language: library codes, the main
 * member of a family for the family, Filipino for Tagalog, Bokmål for Norwegian.
 */
const sameLanguage: ReadonlyMap<string, string> = new Map(
  `alb=sq arb=ar arm=hy baq=eu bur=my chi=zh cmn=zh cze=cs dut=nl ekk=et fil=tl fre=fr geo=ka ger=de
   gre=el ice=is lvs=lv mac=mk mao=mi may=ms nb=no per=fa pes=fa rum=ro slo=sk swh=sw tib=bo wel=cy
   zsm=ms`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, 3).replace('=', ''), pair.slice(-2)]),
);
