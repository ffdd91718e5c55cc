// The corpus that every engine searches, from one file per subject.
import { climateAndAgriculture } from './climate-agriculture.ts';
import { energy } from './energy.ts';
import { financeAndSpace } from './finance-space.ts';
import { gridStorage } from './grid-storage.ts';
import { health } from './health.ts';
import { hostilePages } from './hostile.ts';
import { homeStorage } from './home-storage.ts';
import { otherLanguages } from './other-languages.ts';
import { profiles } from './profiles.ts';
import { software } from './software.ts';
import { transportAndCities } from './transport-cities.ts';
import { waterAndOceans } from './water-oceans.ts';
import type { SourcePage } from './page.ts';
import { unwrap } from './page.ts';
import { specialPages } from './special.ts';

export { hostilePages } from './hostile.ts';

const written: SourcePage[] = [
  ...climateAndAgriculture,
  ...gridStorage,
  ...homeStorage,
  ...energy,
  ...financeAndSpace,
  ...health,
  ...otherLanguages,
  ...profiles,
  ...software,
  ...transportAndCities,
  ...waterAndOceans,
];

/** The pages that searches find. */
export const corpus: SourcePage[] = written.map(joined);

/** The pages that no search finds; they can only be extracted by URL. */
export const hiddenPages: SourcePage[] = [
  ...specialPages.map(joined),
  // Their lines are as they are meant.
  ...hostilePages.map(({ page }) => page),
];

function joined(page: SourcePage): SourcePage {
  return { ...page, body: unwrap(page.body) };
}
