// The languages of each speech vendor in its own codes, and how a caller's tag is matched to them.
import { baseLanguage, readLanguage } from '../../transcription/core/index.ts';
import type { Asks, Support } from '../../negotiation/index.ts';
import { hint, ignoredBecause, native, when } from './rows.ts';

/** The vendor's own code, by the canonical spelling of each tag. */
export type LanguageTable = ReadonlyMap<string, string>;

export const assemblyaiLanguages = tableOf(
  `af am ar as az ba be bg bn bo br bs ca cs cy da de de_ch el en en_au en_uk en_us es et eu fa fi
   fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml
   mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th
   tk tl tr tt uk ur uz vi yi yo zh`,
);

export const nova3Languages = tableOf(
  `af ar be bg bn bs ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fa fi
   fr fr-CA he hi hr hu hy id it ja ka kk kn ko ko-KR lt lv mk mr ms ne nl nl-BE no pa pa-IN pl pt
   pt-BR pt-PT ro ru sk sl sr sv sv-SE ta te th th-TH tl tr uk ur vi zh zh-CN zh-HK zh-Hans zh-Hant
   zh-TW`,
  // Cantonese has the tag of Hong Kong.
  { yue: 'zh-HK', 'zh-Hant-HK': 'zh-HK' },
);

export const nova2Languages = tableOf(
  `bg ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA hi
   hi-Latn hu id it ja ko ko-KR lt lv ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sv sv-SE th th-TH tr
   uk vi zh zh-CN zh-HK zh-Hans zh-Hant zh-TW`,
);

export const elevenlabsLanguages = tableOf(
  `af am ar as ast az be bg bn bs ca ceb cs cy da de el en es et fa ff fi fil fr ga gl gu ha he
   hi hr hu hy id ig is it ja jv ka kea kk km kn ko ku ky lb lg ln lo lt luo lv mi mk ml mn mr ms
   mt my ne nl no nso ny oc or pa pl ps pt ro ru sd sk sl sn so sr sv sw ta te tg th tr uk umb ur
   uz vi wo xh yue zh zu`,
);

/**
 * An unsupported region is left out with a warning, and an unsupported language is not sent at all.
 * Without a table, the tag is sent as it is.
 */
export function languageSupport(tableFor: (asks: Asks) => LanguageTable | undefined): Support {
  const codeFor = (asks: Asks, value: unknown) => nativeLanguage(String(value), tableFor(asks));
  return when(
    {
      reads: 'the provider supports the language',
      holds: (asks, value) => codeFor(asks, value) !== undefined,
    },
    when(
      {
        reads: 'it also supports the region, or none is given',
        holds: (asks, value) => codeFor(asks, value)?.exact === true,
      },
      native,
      hint('only the language was sent, without its region.'),
    ),
    ignoredBecause('the provider does not support this language, so it detects one.'),
  );
}

/** The vendor's code for a tag, and whether it is exact. */
export function nativeLanguage(
  tag: string,
  table: LanguageTable | undefined,
): { code: string; exact: boolean } | undefined {
  const spelled = readLanguage(tag);
  if (table === undefined) return { code: spelled ?? tag, exact: true };
  if (spelled === undefined) return undefined;
  const whole = table.get(spelled);
  if (whole !== undefined) return { code: whole, exact: true };
  // A script matters more than a region: zh-Hant-MO is closer to zh-Hant than to zh.
  const code = table.get(spelled.split('-', 2).join('-')) ?? table.get(baseLanguage(spelled));
  return code === undefined ? undefined : { code, exact: false };
}

function tableOf(codes: string, others: Readonly<Record<string, string>> = {}): LanguageTable {
  const own = codes
    .split(/\s+/)
    .map((code): [string, string] => [readLanguage(code) ?? code, code]);
  return new Map([...own, ...Object.entries(others)]);
}
