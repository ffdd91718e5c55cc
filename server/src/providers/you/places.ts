// The countries and languages that You.com supports, in its own codes.

export const countries: ReadonlySet<string> = new Set(
  `AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH
   TW TR GB US`.split(/\s+/),
);

/** The vendor's code for a two-letter language. Undefined if it has none. */
export function languageOf(code: string): string | undefined {
  const upper = code.toUpperCase();
  const word = renamed[upper] ?? upper;
  return languages.has(word) ? word : undefined;
}

/** A regional form is used for a language that the vendor does not list without a region. */
const renamed: Readonly<Record<string, string>> = {
  NO: 'NB',
  PT: 'PT-BR',
  ZH: 'ZH-HANS',
};

const languages: ReadonlySet<string> = new Set(
  `AR EU BN BG CA ZH-HANS ZH-HANT HR CS DA NL EN EN-GB ET FI FR GL DE EL GU HE HI HU IS IT JA KN KO
   LV LT MS ML MR NB PL PT-BR PT-PT PA RO RU SR SK SL ES SV TA TE TH TR UK VI`.split(/\s+/),
);
