// The countries and languages that Brave supports. It refuses all others.

export const countries: ReadonlySet<string> = new Set(
  (
    'AR AU AT BE BR CA CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA ' +
    'SE CH TR TW US ZA'
  ).split(' '),
);

/**
 * The provider has its own codes for some languages, and two codes for languages with two scripts.
 */
export function searchLanguage(language: string, country?: string): string | undefined {
  const code = language.toLowerCase();
  const traditional = country === 'TW' || country === 'HK';
  const own: Readonly<Record<string, string>> = {
    ja: 'jp',
    zh: traditional ? 'zh-hant' : 'zh-hans',
    pt: country === 'BR' ? 'pt-br' : 'pt-pt',
    no: 'nb',
    nn: 'nb',
  };
  return own[code] ?? (languages.has(code) ? code : undefined);
}

const languages: ReadonlySet<string> = new Set(
  (
    'ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl ' +
    'pa pl ro ru sk sl sr sv ta te th tr uk vi'
  ).split(' '),
);
